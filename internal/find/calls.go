package find

import (
	"errors"

	"onward/internal/calls/schedule"
	"onward/internal/store"
)

// HasOrphanedCall reports whether a call is marked as running but no process runs it any more.
func HasOrphanedCall(t List, doc *schedule.Document) bool {
	if orphaned := schedule.Orphaned(doc, t.Storage.Alive); !orphaned || !t.Storage.Shared() {
		return orphaned
	}
	held, err := t.Storage.Held(schedule.Key(t.Name))
	return err == nil && !held
}

// AcquireCalls acquires the lock of the run, so that no other process starts a call. If another process has it, every
// call that runs belongs to that process, even if it cannot be seen from here, as in another PID namespace.
func AcquireCalls(t List) (alive func(*schedule.Process) bool, release func(), err error) {
	run, err := t.Calls().BeginAtOnce(t.Name)
	if errors.Is(err, store.ErrBusy) {
		return func(*schedule.Process) bool { return true }, func() {}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return t.Storage.Alive, run.End, nil
}
