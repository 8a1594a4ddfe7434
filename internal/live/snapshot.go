package live

import (
	"time"

	"onward/internal/session"
)

const (
	// reread is the time after which a session is read again if its state may change without a commit.
	reread = 10 * time.Second
	// fresh is the age below which a document is always read again: file systems keep times in steps, so two commits may
	// have the same one.
	fresh = 2 * time.Second
)

// Snapshot is a session as it was last read.
type Snapshot struct {
	Row   Row
	At    time.Time // when it was read
	Calls bool      // it had tool calls; these change without the time of the document
}

// Stale reports whether a session may have changed since the snapshot. The argument clock is the time of the store, now
// that of this machine.
func (is *Snapshot) Stale(s session.StoredList, calls bool, clock, now time.Time) bool {
	return calls || is.Calls || !s.Changed.Equal(is.Row.Changed) || clock.Sub(s.Changed).Abs() < fresh ||
		is.Row.Standing.Volatile && now.Sub(is.At) >= reread
}
