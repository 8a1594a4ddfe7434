package continuation

import (
	"errors"
	"fmt"

	"onward/internal/session"
	"onward/internal/todo"
)

// ErrStoppedElsewhere answers a resume in the agent's window of what was not stopped there: other programs than the user's keyboard
// reach a window.
var ErrStoppedElsewhere = errors.New("the session was stopped in a terminal: `onward resume` there ends that")

// ErrNothingOpen answers a pause if no item is open: there is nothing to pause.
var ErrNothingOpen = errors.New("nothing is open, so there is nothing to pause")

// Apply changes a document by one event and returns a description of the change.
// If the event changes nothing, the description is empty and nothing is to be written.
func Apply(doc *session.Document, e Event, now todo.Time) (session.Change, error) {
	return apply(doc, e, now, doc.Rev == 0)
}

// ApplyAll changes a document by several events, as one change. An event that is refused for the reason that is
// not minded, if there is one, is left out. A fresh document was never saved: see Event.CreatesDocument.
func ApplyAll(doc *session.Document, events []Event, fresh bool, unminded error, now todo.Time) (session.Change, error) {
	var all session.Change
	for _, e := range events {
		did, err := apply(doc, e, now, fresh)
		if err != nil && errors.Is(err, unminded) {
			continue
		}
		if err != nil {
			return session.Change{}, err
		}
		fresh = fresh && did.What == ""
		all = all.Then(did)
	}
	return all, nil
}

// apply is Apply; a fresh document was never saved, nor changed by an event before.
func apply(doc *session.Document, e Event, now todo.Time, fresh bool) (session.Change, error) {
	a := transition{doc: doc, led: &doc.Continuation, event: e, now: now}
	if err := e.Check(); err != nil {
		return session.Change{}, err
	}
	k := kindOf(e.Type)
	switch {
	case k.name == "":
		return session.Change{}, unknownEvent(e)
	case k.apply == nil, fresh && !e.CreatesDocument():
		return session.Change{}, nil
	}
	if err := k.apply(&a); err != nil {
		return session.Change{}, err
	}
	if a.change.What != "" && !k.list && !k.quiet && !e.Inferred {
		a.change.Events = append(a.change.Events, a.event.Record())
	}
	return a.change, nil
}

// transition applies one event to one document.
type transition struct {
	doc    *session.Document
	led    *session.Ledger
	event  Event
	now    todo.Time
	change session.Change
}

// record notes what the event changed.
func (a *transition) record(format string, args ...any) {
	a.change.What = fmt.Sprintf(format, args...)
	a.change.By = a.event.Source
	a.change.Touched = a.event.Touched
}
