package night

import (
	"errors"
	"time"

	"onward/internal/cli"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// renewClaim renews the claim, and remembers its number.
func (q *Item) renewClaim() error {
	now, err := q.Clock()
	if err != nil {
		return err
	}
	q.now = now
	var held todo.Item
	err = q.Queue.Update(now, func(doc *session.Document) (session.Change, error) {
		items, at, err := q.Worker.RenewClaim(doc.Current(), q.held, now)
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

// checkClaim reads the list, and reports whether the worker still holds the item.
func (q *Item) checkClaim() error {
	doc, err := q.Queue.Load(q.Name)
	if err == nil {
		_, _, err = q.Worker.RenewClaim(doc.Current(), q.held, q.now)
	}
	return err
}

// leastRenewal is the least time between two renewals of a claim.
const leastRenewal = 100 * time.Millisecond

// renewOrCheckClaim renews the claim, or looks at it after a change of the list, and reports whether that goes on. It calls lost if the worker does
// not hold the item any more. An item that has been completed since needs no claim.
func (q *Item) renewOrCheckClaim(changed bool, lost func(error)) bool {
	var err error
	if changed {
		err = q.checkClaim()
	} else {
		err = q.renewClaim()
	}
	switch {
	case errors.Is(err, todo.ErrCompleted):
		return false
	case errors.Is(err, todo.ErrHeld), errors.Is(err, todo.ErrNotFound):
		lost(err)
		return false
	}
	return true // any other error is one of the store, which may answer the next time
}

// claimLostSignal ends a run as a signal does.
type claimLostSignal struct{ why error }

func (claimLostSignal) Signal() {}

func (l claimLostSignal) String() string { return l.why.Error() }

// keepClaim renews the claim until the returned function is called.
func (r *Runner) keepClaim() (release func()) {
	q := r.Item
	lost := func(why error) { r.Clock.Send(claimLostSignal{why}, q.over) }
	q.stop = q.Queue.Repeat(max(q.lease/3, leastRenewal), func(changed bool) bool { return q.renewOrCheckClaim(changed, lost) })
	return q.release
}

// holdsItemOf reports whether the worker holds the item of another run of its own.
func (q *Item) holdsItemOf(other *session.Run) bool {
	name, err := session.ParseName(other.Queue)
	if err != nil {
		return false
	}
	doc, err := q.Queue.Load(name)
	if err == nil {
		_, _, err = q.Worker.RenewClaim(doc.Current(), todo.HeldClaim{ID: other.Item, Number: other.Claim}, q.now)
	}
	return err == nil
}

// endAtLostClaim ends a run whose worker does not hold the item any more; the item's new holder settles it. One that its agent or the user has
// blocked stays so, and the worker takes the next.
func (r *Runner) endAtLostClaim(why error) error {
	r.Item.release()
	if errors.Is(why, todo.ErrBlocked) {
		hint := "`onward -s " + r.Item.Name.Session + " todo reopen id:" + r.Item.held.ID + "` lets a worker try again"
		return r.settleItem(todo.Blocked, run.Action{Outcome: run.NeedsYou, Reason: "blocked", Message: why.Error(), Hint: hint}, cli.ExitNeedsHuman)
	}
	hint := "`onward -s " + r.Item.Name.Session + " todo next --claim` claims the next item"
	return r.finish(run.Action{Outcome: run.Stopped, Reason: "claim_lost", Message: why.Error(), Hint: hint}, cli.ExitBusy)
}
