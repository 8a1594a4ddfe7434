package ask

import (
	"cmp"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/hook"
	"onward/internal/session"
	"onward/internal/todo"
)

// report is a report of an agent's session, or of one of its sub-agents, before it is applied to a document.
type report struct {
	session.Conversation        // that reports it
	makes                bool   // a document is created for it, though it creates no list
	by                   string // for the history; empty: as the events name it
	events               []continuation.Event

	known func(*session.Owner) bool // the owner is already recorded; called with the present owner
}

// apply applies a report to a document, and makes the reporter its owner. A new document has no list yet.
func (r *report) apply(doc *session.Document, fresh bool, now todo.Time) (session.Change, error) {
	// A pause where nothing is open is no reason to refuse the rest of what an agent reports about itself.
	did, err := continuation.ApplyAll(doc, r.events, fresh && !r.makes, continuation.ErrNothingOpen, now)
	switch {
	case err != nil:
		return did, err
	case did.What != "":
		did.By = cmp.Or(did.By, r.by)
	case fresh && !r.makes, !r.Owns || r.known(doc.Owner):
		return session.Change{}, nil
	default:
		did = session.Change{What: "owner " + r.Agent, By: cmp.Or(r.by, r.Agent)}
	}
	if r.Owns {
		doc.Own(r.Conversation, now)
	}
	return did, nil
}

// ApplyCall applies the report of a hook's call to a document, and makes the caller its owner.
// A list that another live session owns is unchanged; so is the list if the caller's id is empty.
// If there was no list, only an event that creates one creates a document.
func ApplyCall(c hook.Call, doc *session.Document, staleAfter time.Duration, now todo.Time) (session.Change, error) {
	if !mayTouch(c, doc, staleAfter, now) {
		return session.Change{}, nil
	}
	events := c.Events
	if c.List != nil {
		if items, ok := c.List(doc.Todos.Current()); ok {
			events = append(slices.Clip(events), continuation.Event{Type: continuation.Todos, Items: items, Source: c.Agent})
		}
	}
	r := report{
		Conversation: session.Conversation{
			Agent: c.Agent, ID: c.Session, Owns: c.Session != "" && !ends(c),
			Process: func(*session.Process) *session.Process { return processOf(c, doc.Owner) },
		},
		by: "hook", events: events,
		known: func(o *session.Owner) bool { return seen(c, o, staleAfter, now) },
	}
	return r.apply(doc, doc.Rev == 0, now)
}

// mayTouch reports whether a caller may change a list.
func mayTouch(c hook.Call, doc *session.Document, staleAfter time.Duration, now todo.Time) bool {
	if c.Session == "" {
		return c.Anonymous
	}
	return !doc.Owner.Excludes(c.Session, staleAfter, now)
}

// ends reports whether the conversation ends with the call, and the ownership with it.
func ends(c hook.Call) bool {
	return slices.ContainsFunc(c.Events, func(e continuation.Event) bool { return e.Type == continuation.SessionEnd })
}

// processOf returns the process that runs the conversation. It is looked for when the
// conversation comes to the list or begins again, and when another one runs it than is recorded;
// a process that was not found then stays unknown.
func processOf(c hook.Call, o *session.Owner) *session.Process {
	var recorded *session.Process
	owned := o != nil && o.Session == c.Session && o.EndedAt == 0
	if owned {
		recorded = o.Process
	}
	if c.Process == nil || owned && recorded == nil && c.Kind != hook.Start {
		return recorded
	}
	return c.Process(recorded)
}

// seen reports whether the owner need not be noted: it is the caller, in the process that is recorded,
// and was noted a short time ago.
// A commit for each sign of life would be too many; one in each quarter of the lifetime keeps the owner live.
func seen(c hook.Call, o *session.Owner, staleAfter time.Duration, now todo.Time) bool {
	return c.Session == "" ||
		o != nil && o.Session == c.Session && o.EndedAt == 0 && o.SeenAt.Since(now) < staleAfter/4 && o.Process.Is(processOf(c, o))
}
