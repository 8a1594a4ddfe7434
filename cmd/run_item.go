package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kballard/go-shellquote"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/process"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// queued is the item that a run works on, in a list that several workers share.
type queued struct {
	list   find.List // the list of the item
	worker todo.Worker
	held   todo.Holding
	label  string // SESSION:ID, as --item takes it
	text   string // of the item
	gate   string // the item's own gate; empty if it has none
	lease  time.Duration
	clock  func() (todo.Time, error)

	over    chan struct{}
	kept    sync.WaitGroup
	release func()      // stops renewing the claim
	settled todo.Status // the item's new status, once the run has settled it
}

// findItem finds the item of --item, and the session of the worker's own; it does nothing without the flag.
func (r *runner) findItem() error {
	if r.Item == nil {
		return nil
	}
	queue, id, ok := strings.Cut(*r.Item, ":")
	switch {
	case !ok || queue == "" || id == "":
		return cli.Hinted(cli.Usagef("--item: %q is not SESSION:ID", *r.Item),
			"`onward -s SESSION todo next --claim --format id` claims an item, and prints its id")
	case r.Task != "" || r.File != "":
		return cli.Usagef("--item has the task: leave out the task and --file")
	case r.a.Session != nil:
		return cli.Usagef("--item and --session exclude each other: the session of a run on an item is named after its list and the worker")
	}
	name, err := session.ParseName(queue)
	if err != nil {
		return fmt.Errorf("--item: %w", err)
	}
	list := r.t
	list.Name, list.Named = name, true
	w, err := workerFlags{As: r.As}.worker(r.a, list)
	w.Process = process.Self()
	switch {
	case err != nil:
		return err
	case w.Name == "":
		return cli.Usagef("--item needs the name of the worker that holds the item: --as NAME or ONWARD_WORKER")
	}
	list.Conversation = session.Conversation{}
	q := &queued{list: list, worker: w, held: todo.Holding{ID: id}, label: *r.Item, over: make(chan struct{})}
	q.release = sync.OnceFunc(func() {
		close(q.over)
		q.kept.Wait()
	})
	q.clock = r.a.Clock // which its own goroutine reads
	doc, err := q.list.Store.Load(name)
	switch {
	case err != nil:
		return err
	case doc == nil:
		return q.list.Store.CheckExists(name, doc)
	}
	at := slices.IndexFunc(doc.Current(), func(it todo.Item) bool { return it.ID == id })
	if at < 0 {
		return cli.Hinted(fmt.Errorf("%w: session %q has no item with the id %q", todo.ErrNotFound, name, id),
			"`onward -s "+queue+" todo show --ids` shows the ids")
	}
	it := &doc.Todos.Items[at]
	r.queue, q.text, r.task = q, it.Content, continuation.ItemTask(it)
	r.t.Name, r.t.Named, r.t.Conversation = name.OfWorker(w.Name), true, session.Conversation{}
	return r.joinGate(it)
}

// joinGate makes the item's own gate the first part of the run's. A gate of the run that cannot prove anything here stays
// unchanged: it ends the run, and says why.
func (r *runner) joinGate(it *todo.Item) error {
	if it.Gate == nil {
		return nil
	}
	q := r.queue
	of := continuation.Settings{}.ForItem(it)
	trusted, err := q.list.TrustsGate(&of)
	if err != nil {
		return err
	}
	if !trusted {
		return cli.Hinted(cli.Failf(cli.ExitPermission, "the gate of the item is in the list, and is not trusted in this repository: %s", continuation.Fold(it.Gate.Command)),
			"read it, then run `onward tools trust --gate --session "+q.list.Name.Session+"`")
	}
	doc, err := r.t.Store.Load(r.t.Name)
	if err != nil {
		return err
	}
	set, err := r.settings(doc)
	if err != nil {
		return err
	}
	joined := it.Gate.Command
	if set.Gate != "" {
		if set.GateFrom == continuation.FromSession || set.GateFrom == continuation.FromProject {
			if trusted, err = r.t.TrustsGate(&set); err != nil {
				return err
			}
		}
		if !trusted || set.GateElsewhere != "" {
			return nil
		}
		// Each command has a shell of its own, because it may end in a comment.
		joined = shellquote.Join("sh", "-c", joined) + " && " + shellquote.Join("sh", "-c", set.Gate)
	}
	q.gate, r.Gate = it.Gate.Command, &joined
	return nil
}

// settles returns the change that ends the claim. An item is completed only if its gate has run.
func (q *queued) settles(items []todo.Item, s todo.Status, reason string, now todo.Time) (todo.Edit, error) {
	e, err := q.worker.Settle(items, q.held, s, reason, now)
	if err != nil || s != todo.Completed {
		return e, err
	}
	for _, it := range e.Items {
		if it.ID == q.held.ID && it.Gate != nil && it.Gate.Command != q.gate {
			return e, fmt.Errorf("%w: the item has another gate since the run began", todo.ErrChanged)
		}
	}
	return e, nil
}

// takesUpItem reports whether the run on the item is the one that was cut off. If that has settled its item, and only its
// record is left, the item counts as settled.
func (r *runner) takesUpItem(before *session.Run) (bool, error) {
	q := r.queue
	next := "`onward -s " + q.list.Name.Session + " todo next --claim` claims the next one"
	same := before != nil && before.Queue == q.list.Name.String() && before.Item == q.held.ID
	if same {
		q.held.Number = before.Claim
	}
	err := q.holds()
	if same && errors.Is(err, todo.ErrHeld) && !errors.Is(err, todo.ErrCompleted) {
		// The claim of that run is lost, but the worker may have another one. If it is the next, as on a machine that replaces
		// the one of that run, nobody else has worked on the item.
		q.held.Number = 0
		err = q.holds()
		same = q.held.Number == before.Claim+1
	}
	switch {
	case errors.Is(err, todo.ErrCompleted) && same:
		q.settled = todo.Completed
		return false, nil
	case errors.Is(err, todo.ErrHeld):
		return false, cli.Hinted(err, next)
	case err != nil, before == nil, r.New:
		return false, err
	case same:
		return true, nil
	case before.Queue == "":
		return false, r.otherRun(r.otherTask(before), "`onward run "+r.Agent+" -s "+r.t.Name.Session+"` takes it up")
	}
	label := before.Queue + ":" + before.Item
	if q.holdsStill(before) {
		return false, r.otherRun("the item "+label, "`onward run "+r.Agent+" --item "+label+"` takes it up")
	}
	r.note("gave up the run on the item " + label + ", which " + q.worker.Name + " does not hold any more")
	return false, nil
}

// beginItem records that the session is now about the item.
func (r *runner) beginItem(set continuation.Settings) error {
	q := r.queue
	work := &session.Work{Queue: q.list.Name.String(), Item: q.held.ID, Content: q.text, Worker: q.worker.Name}
	_, err := r.t.Update("", func(doc *session.Document) (session.Change, error) {
		change, err := continuation.BeginItem(doc, work, r.t.Now)
		r.record.List = todo.Digest(doc.Current())
		return change.Then(continuation.ExpectGate(doc, set)), err
	})
	return err
}

// endItem ends a run on an item.
func (r *runner) endItem(act run.Action) error {
	s := run.Settle(act)
	code := outcomeCode(s.Answer)
	switch s.Status {
	case todo.Completed:
		code, act.Hint = cli.ExitOK, "`onward -s "+r.queue.list.Name.Session+" todo show` shows the list"
	case todo.Blocked:
		act.Hint = "`onward -s " + r.queue.list.Name.Session + " todo reopen id:" + r.queue.held.ID + "` lets a worker try again"
	}
	return r.settleItem(s.Status, act, code)
}

// settleItem settles the item, and ends the run. If the store does not take it, the run can be taken up.
func (r *runner) settleItem(s todo.Status, act run.Action, code int) error {
	err := r.settle(s, act, code)
	switch {
	case errors.Is(err, todo.ErrHeld), errors.Is(err, todo.ErrNotFound):
		return r.lostClaim(err)
	case errors.Is(err, todo.ErrChanged):
		return r.settleItem(todo.Pending, run.Action{Outcome: run.Stopped, Reason: "gate_changed", Message: err.Error()}, cli.ExitBusy)
	case err != nil:
		return fmt.Errorf("settle the item: %w", err)
	}
	return r.over(act.Outcome, act.Reason, act.Message, act.Hint, code)
}

// givesBack gives the item back after an error of onward itself has ended the run.
func (r *runner) givesBack(failed error) error {
	if errors.Is(failed, store.ErrLost) {
		return r.lostHold(failed)
	}
	if code := cli.ExitCode(0); r.queue == nil || failed == nil || errors.As(failed, &code) {
		return failed
	}
	now, err := r.now()
	if err == nil {
		err = r.settle(todo.Pending, run.Action{Outcome: run.Failed, Reason: "error", Message: failed.Error()}, codeOf(failed))
	}
	if err == nil {
		_ = r.write(nil, now)
	}
	return failed
}

// settle ends the claim in one commit of the list, which has the result too.
func (r *runner) settle(s todo.Status, act run.Action, code int) error {
	q := r.queue
	q.release()
	ran := session.Event{
		Type: session.Ran, Item: q.held.ID, Text: session.Short(q.text), Status: string(act.Outcome), Class: string(s), Code: code, Worker: q.worker.Name,
		Turns: r.record.Turns, Tokens: r.record.Tokens, Cost: r.record.Micros, Took: int(r.record.Began.Since(r.t.Now).Milliseconds()), Commit: lastCommit(),
	}
	reason := ""
	if s != todo.Completed {
		ran.Problem = session.Short(act.Message)
	}
	if s == todo.Blocked {
		reason = act.Message
	}
	q.list.Now = r.t.Now
	_, err := q.list.Update("", func(doc *session.Document) (session.Change, error) {
		e, err := q.settles(doc.Current(), s, reason, r.t.Now)
		if errors.Is(err, todo.ErrCompleted) { // the agent or its user has completed the item, which stays so
			q.settled = todo.Completed
			return session.Change{What: q.worker.Name + " ended its run", By: "cli", Events: []session.Event{ran}}, nil
		}
		if err != nil {
			return session.Change{}, err
		}
		did, err := continuation.Apply(doc, continuation.Event{
			Type: continuation.Edited, Items: e.Items, Touched: e.Touched, Passed: []string{q.held.ID}, Change: e.What, Source: "cli", By: todo.ByUser,
		}, r.t.Now)
		did.Events = append(did.Events, ran)
		q.settled = s
		return did, err
	})
	return err
}

// lastCommit returns the last commit of the checkout; empty if there is none.
func lastCommit() string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--verify", "--quiet", "HEAD").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// isCutOff reports whether a signal leaves a run that can be taken up.
func isCutOff(by os.Signal) bool {
	_, lost := by.(claimLost)
	return by != nil && by != os.Interrupt && !lost
}

// became says how the item was settled, for the end of a line about the run; empty for a run without an item.
func (q *queued) became() string {
	switch {
	case q == nil || q.settled == "":
		return ""
	case q.settled == todo.Pending:
		return "; the item is given back"
	}
	return "; the item is " + q.settled.Words()
}
