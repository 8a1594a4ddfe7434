package continuation

import (
	"errors"
	"fmt"

	"onward/internal/session"
	"onward/internal/todo"
)

// ErrNothingOpen answers a pause where no item is open: there is nothing to pause.
var ErrNothingOpen = errors.New("nothing is open, so there is nothing to pause")

// Apply changes a document by one event and returns a description of the change.
// If the event changes nothing, the description is empty and nothing is to be written.
func Apply(doc *session.Document, e Event, now todo.Time) (session.Change, error) {
	return apply(doc, e, now, doc.Rev == 0)
}

// ApplyAll changes a document by several events, as one change.
func ApplyAll(doc *session.Document, events []Event, now todo.Time) (session.Change, error) {
	return applyAll(doc, events, now, doc.Rev == 0, nil)
}

// ApplyReported is ApplyAll for what an agent reports about itself:
// a pause where nothing is open is nothing to pause, and no reason to refuse the rest.
// A fresh document is one that only an event which makes a list may create.
func ApplyReported(doc *session.Document, events []Event, fresh bool, now todo.Time) (session.Change, error) {
	return applyAll(doc, events, now, fresh, ErrNothingOpen)
}

// applyAll leaves out the events that are refused for a reason that is not minded.
func applyAll(doc *session.Document, events []Event, now todo.Time, fresh bool, unminded error) (session.Change, error) {
	var all session.Change
	for _, e := range events {
		did, err := apply(doc, e, now, fresh)
		if err != nil && unminded != nil && errors.Is(err, unminded) {
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
	a := applied{doc: doc, led: &doc.Continuation, event: e, now: now}
	if err := e.Check(); err != nil {
		return session.Change{}, err
	}
	k := kindOf(e.Type)
	switch {
	case k == nil:
		return session.Change{}, unknownEvent(e)
	case k.apply == nil, fresh && !k.makes:
		return session.Change{}, nil
	}
	if err := k.apply(&a); err != nil {
		return session.Change{}, err
	}
	if a.change.What != "" && !k.list && !e.Inferred {
		a.change.Events = append(a.change.Events, e.record())
	}
	return a.change, nil
}

// applied is one event on its way into one document.
type applied struct {
	doc    *session.Document
	led    *session.Ledger
	event  Event
	now    todo.Time
	change session.Change
}

// record notes what the event changed.
func (a *applied) record(format string, args ...any) {
	a.change.What = fmt.Sprintf(format, args...)
	a.change.By = a.event.Source
	a.change.Touched = a.event.Touched
}
