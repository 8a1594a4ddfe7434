package find

import (
	"errors"

	"onward/internal/calls/schedule"
	"onward/internal/store"
)

// UpdateCalls changes the tool calls and the messages of a list, unless its session is being deleted, which would delete the change too.
// Whether a person makes it is asked only if that matters.
func (t List) UpdateCalls(op string, person func() bool, change func(*schedule.Document) (schedule.Change, error)) (schedule.Commit, error) {
	list, err := t.Store.Load(t.Name)
	if errors.Is(err, store.ErrDeleting) {
		return schedule.Commit{}, err
	}
	return t.Calls().Update(t.Name, op, t.Now, schedule.Guard(change, list.Ledger().Delivering.IDs(), person, RequirePerson))
}

// RecoverCalls ends the calls whose process is gone, as the next run would. It returns the document as it is then.
func (t List) RecoverCalls(doc *schedule.Document) (schedule.Commit, error) {
	if !t.hasOrphanedCall(doc) {
		return schedule.Commit{Doc: doc}, nil
	}
	alive, release, err := t.acquireCalls()
	if err != nil {
		return schedule.Commit{}, err
	}
	defer release()
	return t.Calls().Update(t.Name, "", t.Now, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.Recover(d, alive, t.Now)
	})
}

// AliveCalls reports for the process of a call whether it may still run it, until it is released. While a call runs, no other process
// can start one.
func (t List) AliveCalls(doc *schedule.Document) (alive func(*schedule.Process) bool, release func(), err error) {
	if doc.Counts()[schedule.Executing] == 0 {
		return t.Storage.Alive, func() {}, nil
	}
	return t.acquireCalls()
}

// hasOrphanedCall reports whether a call is marked as running but no process runs it any more.
func (t List) hasOrphanedCall(doc *schedule.Document) bool {
	if orphaned := schedule.Orphaned(doc, t.Storage.Alive); !orphaned || !t.Storage.Shared() {
		return orphaned
	}
	held, err := t.Storage.Held(schedule.Key(t.Name))
	return err == nil && !held
}

// acquireCalls acquires the lock of the run, so that no other process starts a call. If another process has it, every
// call that runs belongs to that process, even if it cannot be seen from here, as in another PID namespace.
func (t List) acquireCalls() (alive func(*schedule.Process) bool, release func(), err error) {
	run, err := t.Calls().BeginAtOnce(t.Name)
	if errors.Is(err, store.ErrBusy) {
		return func(*schedule.Process) bool { return true }, func() {}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return t.Storage.Alive, run.End, nil
}
