package hook

import (
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// Take changes a document by what a call reports, and makes the caller its owner.
// A list that another live session owns is left alone; so is a caller that gives an empty id.
// Where there was no list, only what makes one makes a document.
func (c Call) Take(doc *session.Document, staleAfter time.Duration, now todo.Time) (session.Change, error) {
	if !c.mayTouch(doc, staleAfter, now) {
		return session.Change{}, nil
	}
	events := c.Events
	if c.List != nil {
		if items, ok := c.List(doc.Todos.Current()); ok {
			events = append(events[:len(events):len(events)], continuation.Event{Type: continuation.Todos, Items: items, Source: c.Agent})
		}
	}
	fresh := doc.Rev == 0
	did, err := continuation.ApplyReported(doc, events, fresh, now)
	if err != nil || fresh && did.What == "" {
		return session.Change{}, err
	}
	if did.What != "" && did.By == "" {
		did.By = "hook"
	}
	if c.ends() {
		return did, nil
	}
	if did.What == "" && !c.seen(doc.Owner, staleAfter, now) {
		did = session.Change{What: "owner " + c.Agent, By: "hook"}
	}
	if did.What != "" && c.Session != "" {
		runs := c.process(doc.Owner)
		doc.Own(c.Agent, c.Session, now)
		doc.Owner.Process = runs
	}
	return did, nil
}

// mayTouch reports whether a caller has a say in a list.
func (c Call) mayTouch(doc *session.Document, staleAfter time.Duration, now todo.Time) bool {
	if c.Session == "" {
		return c.Anonymous
	}
	return !doc.Owner.Holds(c.Session, staleAfter, now)
}

// ends reports whether the conversation ends with the call, and the ownership with it.
func (c Call) ends() bool {
	for _, e := range c.Events {
		if e.Type == continuation.SessionEnd {
			return true
		}
	}
	return false
}

// process returns the process that runs the conversation. It is looked for when the
// conversation comes to the list or begins again, and when another one runs it than is recorded;
// what was not found then stays unknown.
func (c Call) process(o *session.Owner) *session.Process {
	var recorded *session.Process
	owned := o != nil && o.Session == c.Session && o.EndedAt == 0
	if owned {
		recorded = o.Process
	}
	if c.Process == nil || owned && recorded == nil && c.Kind != Start {
		return recorded
	}
	return c.Process(recorded)
}

// seen reports whether the owner need not be noted: it is the caller, in the process that is recorded,
// and was noted a short time ago.
// A commit for each sign of life would be many; one in a quarter of the time keeps the owner live.
func (c Call) seen(o *session.Owner, staleAfter time.Duration, now todo.Time) bool {
	return c.Session == "" ||
		o != nil && o.Session == c.Session && o.EndedAt == 0 && o.SeenAt.Since(now) < staleAfter/4 && o.Process.Is(c.process(o))
}
