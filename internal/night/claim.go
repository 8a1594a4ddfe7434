package night

import (
	"errors"
	"time"

	"onward/internal/cli"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// holds renews the claim, and remembers its number.
func (q *Item) holds() error {
	now, err := q.Clock()
	if err != nil {
		return err
	}
	q.List.Now = now
	var held todo.Item
	_, err = q.List.Update("", func(doc *session.Document) (session.Change, error) {
		items, at, err := q.Worker.Hold(doc.Current(), q.held, now)
		if err != nil {
			return session.Change{}, err
		}
		doc.Todos.Items, held = items, items[at]
		return session.Change{What: q.Worker.Name + " renewed its claim", By: "cli"}, nil
	})
	if err == nil {
		q.held.Number, q.lease = held.Claim.Number, time.Duration(held.Claim.Lease)*time.Millisecond
	}
	return err
}

// looks reads the list, and reports whether the worker still holds the item.
func (q *Item) looks() error {
	doc, err := q.List.Store.Load(q.List.Name)
	if err == nil {
		_, _, err = q.Worker.Hold(doc.Current(), q.held, q.List.Now)
	}
	return err
}

// leastRenewal is the least time between two renewals of a claim.
const leastRenewal = 100 * time.Millisecond

// keep renews the claim until the run is over, and reports it if the worker does not hold the item any more. An item that
// was completed meanwhile needs no claim.
func (q *Item) keep(lost func(error)) {
	watch := q.List.Watch()
	defer watch.Close()
	ticker := time.NewTicker(max(q.lease/3, leastRenewal))
	defer ticker.Stop()
	for {
		var err error
		select {
		case <-q.over:
			return
		case <-watch.Changes:
			err = q.looks()
		case <-ticker.C:
			err = q.holds()
		}
		switch {
		case errors.Is(err, todo.ErrCompleted):
			return
		case errors.Is(err, todo.ErrHeld), errors.Is(err, todo.ErrNotFound):
			lost(err)
			return
		}
		// Any other error is one of the store, which may answer the next time.
	}
}

// claimLost ends a run as a signal does.
type claimLost struct{ why error }

func (claimLost) Signal() {}

func (l claimLost) String() string { return l.why.Error() }

// keepClaim renews the claim until the returned function is called.
func (r *Runner) keepClaim() (release func()) {
	q := r.Item
	q.kept.Go(func() {
		q.keep(func(why error) {
			r.Clock.Send(claimLost{why}, q.over)
		})
	})
	return q.release
}

// holdsStill reports whether the worker holds the item of another run of its own.
func (q *Item) holdsStill(other *session.Run) bool {
	name, err := session.ParseName(other.Queue)
	if err != nil {
		return false
	}
	doc, err := q.List.Store.Load(name)
	if err == nil {
		_, _, err = q.Worker.Hold(doc.Current(), todo.Holding{ID: other.Item, Number: other.Claim}, q.List.Now)
	}
	return err == nil
}

// lostClaim ends a run whose worker does not hold the item any more; the item's new holder settles it.
func (r *Runner) lostClaim(why error) error {
	r.Item.release()
	hint := "`onward -s " + r.Item.List.Name.Session + " todo next --claim` claims the next item"
	return r.over(run.Action{Outcome: run.Stopped, Reason: "claim_lost", Message: why.Error(), Hint: hint}, cli.ExitBusy)
}
