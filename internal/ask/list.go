package ask

import (
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// List is the list that a question is about, with everything besides its document on which the answer depends.
type List interface {
	Load() (*session.Document, error) // nil: there is no list
	// FindOperation adds the result of an operation to a document that was read, if only the log has it.
	FindOperation(doc *session.Document, op string) error
	Settings(*session.Document) (continuation.Settings, error)
	Activity() session.Activity // the last activity
	Gone(*session.Process) bool // whether a process is known to have ended
	AtWork() (bool, error)      // whether an agent that a run started is known to be at work on the list
	// Removed reports whether somebody removed the list, as a record of its last run shows; a missing document is nil.
	Removed(*session.Document) (bool, error)
	// Facts adds the facts of the store to those of the caller. Idle calls are those that no process runs.
	Facts(said continuation.Facts) (with continuation.Facts, idle int, err error)
	// Delivered removes messages from the queue that were sent.
	RemoveMessages(ids []string) error
	Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error)
}
