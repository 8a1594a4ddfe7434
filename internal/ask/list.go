package ask

import (
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// List is the list in question, and what else decides beside its document.
type List interface {
	Load() (*session.Document, error) // nil: there is no list
	Settings(*session.Document) (continuation.Settings, error)
	Activity() session.Activity // the last sign of life
	// Facts adds the facts of the store to those of the caller. Idle calls are those that no process runs.
	Facts(said continuation.Facts) (with continuation.Facts, idle int, err error)
	Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error)
}
