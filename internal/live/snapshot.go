package live

import (
	"time"

	"onward/internal/session"
)

const (
	// reread is after how long a session is read again whose state time alone may change.
	reread = 10 * time.Second
	// fresh is the age up to which a document may have been written again without a change of its time.
	fresh = 2 * time.Second
)

// Snapshot is a session as it was last read.
type Snapshot struct {
	Row   Row
	At    time.Time // when
	Calls bool      // it had tool calls; a change of those is not seen in its own time
}

// Stale reports whether a session may be another one than was read. The clock is that of the store,
// now that of the snapshot.
func (is *Snapshot) Stale(s session.Saved, calls bool, clock, now time.Time) bool {
	return calls || is.Calls || !s.Changed.Equal(is.Row.Changed) || clock.Sub(s.Changed).Abs() < fresh ||
		is.Row.Standing.Volatile && now.Sub(is.At) >= reread
}
