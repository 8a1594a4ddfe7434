// Package execute runs the tool calls of a schedule: it starts their programs, watches them, stops them,
// and keeps what they print.
package execute

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// Runner runs the calls of one session.
type Runner struct {
	Outputs Outputs
	Name    session.Name
	Judge   schedule.Judge
	Jobs    int                                             // calls at the same time
	Timeout time.Duration                                   // how long a call may take; 0 is what its tool allows
	Env     []string                                        // the variables that the built-in shell gets, besides those that every tool gets
	Watch   bool                                            // wait for new calls when all have ended, until interrupted
	Clock   func() todo.Time                                // the present time
	Builtin func(*schedule.Call) (stdout string, err error) // runs the built-in tools other than the shell
	// Alive reports whether a process may still be running a call although this process has the lock of the run.
	Alive func(*schedule.Process) bool
	// Observe is called for every call that changed, and for batches that ended, after the change is on disk.
	Observe func(*schedule.Document, schedule.Change)

	run       *schedule.RunLock
	news      <-chan struct{} // a value comes when another process may have changed the schedule
	self      schedule.Process
	running   map[string]chan supervise.Order
	results   chan schedule.Ending
	ended     map[string]bool // the calls that this run brought to their end
	changed   bool            // a change of this run was saved
	cancelled bool
}

// ErrUnrecorded means that calls have run, and that not all of their results could be recorded.
var ErrUnrecorded = errors.New("calls have run, and what became of them could not be recorded")

// Outcome is about the calls that this run brought to their end, among those that it has to report,
// and about those that wait for an approval.
func (r *Runner) Outcome(reported []*schedule.Call) schedule.Outcome {
	return schedule.OutcomeOf(slices.DeleteFunc(slices.Clone(reported), func(c *schedule.Call) bool {
		return c.Status.Final() && !r.ended[c.ID]
	}))
}

// Run runs calls until none can start any more, and returns those that it has to report:
// the calls that ended since the last report, and those that wait for an approval.
// The caller acquires and releases the lock of the run. A process that waits for the lock has nothing to cancel yet,
// so a signal can simply end it.
func (r *Runner) Run(run *schedule.RunLock, signals <-chan os.Signal) ([]*schedule.Call, error) {
	calls, err := r.rounds(run, signals)
	if err != nil && r.changed && !errors.Is(err, supervise.ErrInterrupted) {
		err = fmt.Errorf("%w: %w", ErrUnrecorded, err)
	}
	return calls, err
}

func (r *Runner) rounds(run *schedule.RunLock, signals <-chan os.Signal) ([]*schedule.Call, error) {
	r.run, r.self = run, thisProcess()
	r.running, r.results, r.ended = map[string]chan supervise.Order{}, make(chan schedule.Ending, r.Jobs), map[string]bool{}
	watch := run.Watch()
	defer watch.Close()
	r.news = watch.Changes
	doc, err := run.Doc()
	if doc == nil && !r.Watch || err != nil {
		return nil, err
	}
	if doc != nil {
		err = r.recover()
	}
	if err != nil {
		return nil, err
	}
	for {
		plan, err := r.planRound()
		if err != nil {
			return nil, err
		}
		if plan != nil {
			if err := r.runPlan(plan, signals); err != nil {
				return nil, err
			}
		}
		if r.cancelled || plan == nil && (!r.Watch || r.idle(signals)) {
			break
		}
	}
	calls, err := r.report()
	if err == nil && r.cancelled {
		err = supervise.ErrInterrupted
	}
	return calls, err
}

// recover ends the calls that a dead process left running. This process has the lock of the run, so no other one can be
// running them, unless locks have no effect on the file system; Alive is asked because of that.
func (r *Runner) recover() error {
	return r.commit(func(d *schedule.Document) (schedule.Change, error) {
		did, err := schedule.Recover(d, r.Alive, r.Clock())
		if err == nil && did.What == "" && d.Journal > 0 {
			// The journal of the last run may end in half a line, so the document is written with it before more is appended.
			return schedule.MergeJournal(d)
		}
		return did, err
	})
}

// planRound asks the policy again and plans the calls that can run now; nil if none can.
func (r *Runner) planRound() (*schedule.Plan, error) {
	doc, err := r.run.Doc()
	if doc == nil || err != nil {
		return nil, err
	}
	_, err = r.append(func(d *schedule.Document) (schedule.Change, error) {
		return schedule.Review(d, r.Judge, r.Clock())
	})
	if err != nil {
		return nil, err
	}
	if doc, err = r.run.Doc(); err != nil {
		return nil, err
	}
	return schedule.NewPlan(doc, r.parallel), nil
}

func (r *Runner) parallel(name string) bool {
	t := r.Judge.Tools.Find(name)
	return t != nil && t.Parallel()
}

// runPlan runs a plan to its end.
func (r *Runner) runPlan(plan *schedule.Plan, signals <-chan os.Signal) error {
	var ended []schedule.Ending
	for {
		started, err := r.recordStep(plan, ended)
		if err != nil {
			r.abandon()
			return err
		}
		ended = nil
		for i := range started {
			r.launch(&started[i])
		}
		if len(r.running) == 0 {
			return nil
		}
		for len(ended) == 0 {
			select {
			case e := <-r.results:
				ended = r.collect(e)
			case <-signals:
				r.stopAll(supervise.Order{Reason: "the run was interrupted", Now: r.cancelled})
				r.cancelled = true
			case <-r.news:
				if err := r.checkRequests(); err != nil {
					r.abandon()
					return err
				}
			}
		}
	}
}

// collect returns all calls that have ended by now, so that one write to the disk records them all.
func (r *Runner) collect(e schedule.Ending) []schedule.Ending {
	ended := []schedule.Ending{e}
	for range len(r.results) { // no other goroutine receives from this channel
		ended = append(ended, <-r.results)
	}
	for _, e := range ended {
		delete(r.running, e.ID)
	}
	return ended
}

// recordStep records the calls that have ended and those that start next, in one write.
// A call is saved as executing before its program is started.
func (r *Runner) recordStep(plan *schedule.Plan, ended []schedule.Ending) ([]schedule.Call, error) {
	var started []schedule.Call
	did, err := r.append(func(d *schedule.Document) (schedule.Change, error) {
		s := d.Step(r.Clock())
		started = nil // the store may call this function again
		s.End(ended)
		if !r.cancelled {
			for _, c := range plan.Next(d, len(r.running), r.Jobs-len(r.running)) {
				s.Start(c, r.self)
				started = append(started, *c)
			}
		}
		return s.Result()
	})
	if err == nil && len(did.Calls) > 0 && r.run.JournalIsFull() {
		err = r.commit(schedule.MergeJournal)
	}
	return started, err
}

// append makes a change in the journal and reports it.
func (r *Runner) append(change func(*schedule.Document) (schedule.Change, error)) (schedule.Change, error) {
	did, err := r.run.Append(change)
	if err != nil {
		return did, err
	}
	return did, r.publish(did)
}

// publish records which calls ended, and reports a change.
func (r *Runner) publish(did schedule.Change) error {
	if len(did.Calls)+len(did.Complete) == 0 {
		return nil
	}
	r.changed = true
	doc, err := r.run.Doc()
	if err != nil || doc == nil {
		return err
	}
	for _, id := range did.Calls {
		if c := doc.Find(id); c != nil && c.Status.Final() {
			r.ended[id] = true
		}
	}
	if r.Observe != nil {
		r.Observe(doc, did)
	}
	return nil
}

// commit makes a change in the document itself and reports it.
func (r *Runner) commit(change func(*schedule.Document) (schedule.Change, error)) error {
	commit, err := r.run.Commit(r.Clock(), change)
	if err != nil {
		return err
	}
	return r.publish(commit.Change)
}

// checkRequests looks for calls that another process has asked to end.
func (r *Runner) checkRequests() error {
	doc, err := r.run.Doc()
	if doc == nil || err != nil {
		return err
	}
	for id, stop := range r.running {
		if c := doc.Find(id); c != nil && c.StopAt != 0 {
			send(stop, supervise.Order{Reason: c.StopFor})
		}
	}
	return nil
}

func (r *Runner) stopAll(o supervise.Order) {
	for _, stop := range r.running {
		send(stop, o)
	}
}

// send sends a request to end; if the channel is full, one more would change nothing.
func send(stop chan supervise.Order, o supervise.Order) {
	select {
	case stop <- o:
	default:
	}
}

// abandon ends the running calls if the schedule cannot be written any more. Their results cannot be recorded;
// the next run finds them interrupted.
func (r *Runner) abandon() {
	r.stopAll(supervise.Order{Now: true})
	for len(r.running) > 0 {
		e := <-r.results
		delete(r.running, e.ID)
	}
}

// idle waits until the schedule changes, or until an interrupt; it reports whether that came first.
func (r *Runner) idle(signals <-chan os.Signal) bool {
	for !r.run.Changed() {
		select {
		case <-signals:
			r.cancelled = true
			return true
		case <-r.news:
		}
	}
	return false
}

// report merges the journal and returns the report of this run, in the order of the requests.
func (r *Runner) report() ([]*schedule.Call, error) {
	var calls []*schedule.Call
	_, err := r.run.Commit(r.Clock(), func(d *schedule.Document) (schedule.Change, error) {
		calls = schedule.CallsToReport(d)
		if len(calls) == 0 && d.Journal == 0 {
			return schedule.Change{}, nil
		}
		return schedule.Change{What: "ended a run"}, nil
	})
	return calls, err
}
