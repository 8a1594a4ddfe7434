package ask

import (
	continuation "onward/internal/continue"
	"onward/internal/schedule"
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

// StoredList is a list in a store, for a question that no hook asks.
type StoredList struct {
	Name    session.Name
	Lists   *session.Store
	Calls   *schedule.Store
	Resolve func(*session.Document) (continuation.Settings, error) // the settings of the list as it is
	// Commit changes the list; a dry run does not call it.
	Commit func(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error)
}

// Load reads the list.
func (l *StoredList) Load() (*session.Document, error) { return l.Lists.Load(l.Name) }

// Settings resolves the settings.
func (l *StoredList) Settings(doc *session.Document) (continuation.Settings, error) {
	return l.Resolve(doc)
}

// Activity returns the last sign of life.
func (l *StoredList) Activity() session.Activity { return l.Lists.Activity(l.Name) }

// Facts adds the facts of the schedule.
func (l *StoredList) Facts(said continuation.Facts) (continuation.Facts, int, error) {
	return WithCalls(l.Calls, l.Name, said)
}

// Update changes the list.
func (l *StoredList) Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	return l.Commit(op, now, change)
}
