package session

// State is the state of a session; the user's own stop comes first.
type State string

// The states of a session.
const (
	IsStopped State = "stopped" // by the user, until resume
	IsAborted State = "aborted" // by the user, until the next prompt
	IsPaused  State = "paused"  // by the model, until the next prompt
	IsFailed  State = "failed"  // the last turn ended in an error
	IsOpen    State = "open"    // an item is open
	IsDone    State = "done"    // nothing is left to do
	IsCleared State = "cleared" // the list was archived
	IsEmpty   State = "empty"   // there is no list
)

// State returns the state of a session.
func (d *Document) State() State {
	l := &d.Continuation
	switch {
	case l.StoppedAt != 0:
		return IsStopped
	case l.AbortedAt != 0:
		return IsAborted
	case l.Paused != nil:
		return IsPaused
	case l.Error != nil:
		return IsFailed
	case len(d.Todos.Items) == 0:
		return IsEmpty
	case !d.Todos.Active:
		return IsCleared
	}
	for i := range d.Todos.Items {
		if d.Todos.Items[i].Status.Open() {
			return IsOpen
		}
	}
	return IsDone
}
