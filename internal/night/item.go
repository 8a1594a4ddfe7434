package night

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/kballard/go-shellquote"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Item is the item that a run works on, in a list that several workers share.
type Item struct {
	Queue  Queue        // the list of the item
	Name   session.Name // of that list
	Worker todo.Worker
	Label  string // SESSION:ID, as --item takes it
	Text   string // of the item
	Gate   string // the item's own gate; empty if it has none
	Proof  bool   // the item requires proof
	Clock  func() (todo.Time, error)

	held    todo.HeldClaim
	now     todo.Time // when the claim was last renewed, or tried to be
	lease   time.Duration
	over    chan struct{}
	stop    func()      // ends the renewals, and waits for the last one
	release func()      // stops renewing the claim
	settled todo.Status // the item's new status, once the run has settled it
}

// Queue is the list that the item of a run is in, in a store that may fail.
type Queue interface {
	Load(name session.Name) (*session.Document, error)
	Update(now todo.Time, change func(*session.Document) (session.Change, error)) error

	// Repeat calls a function each time that an interval has passed, and at each change of the list, until that returns false or until
	// the returned function is called, which waits for the last call.
	Repeat(interval time.Duration, do func(changed bool) bool) (stop func())
}

// NewItem returns the item with an id.
func NewItem(id string) *Item {
	q := &Item{held: todo.HeldClaim{ID: id}, over: make(chan struct{}), stop: func() {}}
	q.release = sync.OnceFunc(func() {
		close(q.over)
		q.stop()
	})
	return q
}

// Find finds the item in its list, and takes what the run needs to know of it.
func (q *Item) Find(doc *session.Document) (*todo.Item, error) {
	for i, it := range doc.Current() {
		if it.ID == q.held.ID {
			q.Text, q.Proof = it.Content, it.NeedsProof
			return &doc.Todos.Items[i], nil
		}
	}
	queue, _, _ := strings.Cut(q.Label, ":")
	return nil, cli.WithHint(fmt.Errorf("%w: session %q has no item with the id %q", todo.ErrNotFound, q.Name, q.held.ID),
		"`onward -s "+queue+" todo show --ids` shows the ids")
}

// CheckGate refuses an item whose own gate the user does not trust here.
func (q *Item) CheckGate(it *todo.Item, trusts func(*continuation.Settings) (bool, error)) error {
	set := continuation.Settings{}.ForItem(it)
	if trusted, err := trusts(&set); err != nil || trusted {
		return err
	}
	return cli.WithHint(cli.Failf(cli.ExitPermission, "the gate of the item is in the list, and is not trusted in this repository: %s", continuation.FoldLine(set.Gate)),
		"read it, then run `onward tools trust --gate --session "+q.Name.Session+"`")
}

// JoinGate takes the item's own gate, and returns it as the first part of the run's. It returns false for a gate of the run that cannot
// prove anything here: that one stays as it is, ends the run, and says why.
func (q *Item) JoinGate(own string, set continuation.Settings, trusts func(*continuation.Settings) (bool, error)) (joined string, proves bool, err error) {
	joined = own
	if set.Gate != "" {
		if trusted := set.GateFrom != continuation.FromSession && set.GateFrom != continuation.FromProject; !trusted {
			if trusted, err = trusts(&set); err != nil || !trusted {
				return "", false, err
			}
		}
		if set.GateElsewhere != "" {
			return "", false, nil
		}
		// Each command has a shell of its own, because it may end in a comment.
		joined = shellquote.Join("sh", "-c", own) + " && " + shellquote.Join("sh", "-c", set.Gate)
	}
	q.Gate = own
	return joined, true, nil
}

// settlement returns the change that ends the claim. An item is completed only if its gate has run.
func (q *Item) settlement(items []todo.Item, s todo.Status, reason string, now todo.Time) (todo.Edit, error) {
	e, err := q.Worker.SettleClaim(items, q.held, s, reason, now)
	if err != nil || s != todo.Completed {
		return e, err
	}
	for _, it := range e.Items {
		if it.ID == q.held.ID && it.Gate != nil && it.Gate.Command != q.Gate {
			return e, fmt.Errorf("%w: the item has another gate since the run began", todo.ErrChanged)
		}
	}
	return e, nil
}

// ClaimLine returns the command line by which the worker claims the item again.
func (q *Item) ClaimLine() string {
	return shellquote.Join("onward", "-s", q.Name.Session, "todo", "start", "id:"+q.held.ID, "--as", q.Worker.Name)
}

// resumesCutOffItem reports whether the run on the item is the one that was cut off. If that has settled its item, and only its
// record is left, the item counts as settled.
func (r *Runner) resumesCutOffItem(before *session.Run) (bool, error) {
	q := r.Item
	next := "`onward -s " + q.Name.Session + " todo next --claim` claims the next one"
	same := before != nil && before.Queue == q.Name.String() && before.Item == q.held.ID
	if same {
		q.held.Number = before.Claim
	}
	err := q.renewClaim()
	if same && errors.Is(err, todo.ErrHeld) && !errors.Is(err, todo.ErrCompleted) {
		// The claim of that run is lost, but the worker may have another one. If it is the next, as on a machine that replaces
		// the one of that run, nobody else has worked on the item.
		q.held.Number = 0
		err = q.renewClaim()
		same = q.held.Number == before.Claim+1
	}
	switch {
	case errors.Is(err, todo.ErrCompleted) && same:
		q.settled = todo.Completed
		return false, nil
	case errors.Is(err, todo.ErrHeld):
		return false, cli.WithHint(err, next)
	case err != nil, before == nil, r.New:
		return false, err
	case same:
		return true, nil
	case before.Queue == "":
		return false, r.otherRunError(r.otherTaskText(before), r.Hints.Resume(before)+" picks it up")
	}
	label := before.Queue + ":" + before.Item
	if q.holdsItemOf(before) {
		return false, r.otherRunError("the item "+label, "`onward run "+r.Agent+" --item "+label+"` picks it up")
	}
	r.Tell.Note("gave up the run on the item " + label + ", which " + q.Worker.Name + " does not hold any more")
	return false, nil
}

// beginItem records that the session is now about the item.
func (r *Runner) beginItem(set continuation.Settings) error {
	q := r.Item
	work := &session.QueueItem{Queue: q.Name.String(), Item: q.held.ID, Content: q.Text, Worker: q.Worker.Name}
	err := r.Store.Update(Prompted, r.at, func(doc *session.Document) (session.Change, error) {
		change, err := continuation.BeginItem(doc, work, r.at)
		r.record.List = todo.Digest(doc.Current())
		return change.Then(continuation.ExpectGate(doc, set)), err
	})
	return err
}

// endItem ends a run on an item.
func (r *Runner) endItem(act run.Action) error {
	s := run.SettleItem(act)
	code := ExitCodeOf(s.Answer)
	switch s.Status {
	case todo.Completed:
		code, act.Hint = cli.ExitOK, "`onward -s "+r.Item.Name.Session+" todo show` shows the list"
	case todo.Blocked:
		list, at := "`onward -s "+r.Item.Name.Session+" todo ", " id:"+r.Item.held.ID
		if act.Hint = list + "reopen" + at + "` lets a worker try again"; act.OfItem && r.record.Gate == "" {
			act.Hint = list + "edit" + at + " --gate COMMAND` gives it a gate; then " + act.Hint
		}
	}
	return r.settleItem(s.Status, act, code)
}

// settleItem settles the item, and ends the run. If the store does not take it, the run can be resumed.
func (r *Runner) settleItem(s todo.Status, act run.Action, code int) error {
	err := r.leaveReceipt(act)
	if err == nil {
		err = r.settle(s, act, code)
	}
	switch {
	case errors.Is(err, todo.ErrHeld), errors.Is(err, todo.ErrNotFound):
		return r.endAtLostClaim(err)
	case errors.Is(err, todo.ErrChanged):
		return r.settleItem(todo.Pending, run.Action{Outcome: run.Stopped, Reason: "gate_changed", Message: err.Error()}, cli.ExitBusy)
	case err != nil:
		return fmt.Errorf("settle the item: %w", err)
	}
	return r.finish(act, code)
}

// giveBackItem gives the item back after an error of onward itself has ended the run.
func (r *Runner) giveBackItem(failed error) error {
	if errors.Is(failed, store.ErrHoldLost) {
		return r.endAtLostHold(failed)
	}
	if code := cli.ExitCode(0); r.Item == nil || failed == nil || errors.As(failed, &code) {
		return failed
	}
	now, err := r.now()
	if err == nil {
		err = r.settle(todo.Pending, run.Action{Outcome: run.Failed, Reason: "error", Message: failed.Error()}, r.Errors.Code(failed))
	}
	if err == nil {
		_ = r.write(nil, now)
	}
	return failed
}

// settle ends the claim in one commit of the list, which has the result too.
func (r *Runner) settle(s todo.Status, act run.Action, code int) error {
	q := r.Item
	q.release()
	ran := session.Event{
		Type: session.Ran, Item: q.held.ID, Text: session.ShortText(q.Text), Status: string(act.Outcome), Class: string(s), Code: code, Worker: q.Worker.Name,
		Turns: r.record.Turns, Tokens: r.record.Tokens, Cost: r.record.Micros, Took: int(r.record.Began.Since(r.at).Milliseconds()), Commit: r.LastCommit(),
	}
	reason := ""
	if s != todo.Completed {
		ran.Problem = session.ShortText(act.Message)
	}
	if s == todo.Blocked {
		reason = act.Message
	}
	err := q.Queue.Update(r.at, func(doc *session.Document) (session.Change, error) {
		e, err := q.settlement(doc.Current(), s, reason, r.at)
		if errors.Is(err, todo.ErrCompleted) { // the agent or its user has completed the item, which stays so
			q.settled = todo.Completed
			return session.Change{What: q.Worker.Name + " ended its run", By: "cli", Events: []session.Event{ran}}, nil
		}
		if errors.Is(err, todo.ErrBlocked) && s != todo.Completed { // so has the agent or its user blocked it
			q.settled = todo.Blocked
			return session.Change{What: q.Worker.Name + " ended its run", By: "cli", Events: []session.Event{ran}}, nil
		}
		if err != nil {
			return session.Change{}, err
		}
		did, err := continuation.Apply(doc, continuation.Event{
			Type: continuation.Edited, Items: e.Items, Touched: e.Touched, Passed: []string{q.held.ID}, Change: e.What, Source: "cli", By: todo.ByUser,
		}, r.at)
		did.Events = append(did.Events, ran)
		q.settled = s
		return did, err
	})
	return err
}

// isCutOff reports whether a signal leaves a run that can be resumed.
func isCutOff(by os.Signal) bool {
	_, lost := by.(claimLostSignal)
	return by != nil && by != os.Interrupt && !lost
}

// settledText says how the item was settled, for the end of a line about the run; empty for a run without an item.
func (q *Item) settledText() string {
	switch {
	case q == nil || q.settled == "":
		return ""
	case q.settled == todo.Pending:
		return "; the item is given back"
	}
	return "; the item is " + q.settled.Words()
}
