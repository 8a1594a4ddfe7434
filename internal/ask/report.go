package ask

import (
	"cmp"
	"slices"
	"time"

	"onward/internal/agents/hook"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// report is a report of an agent's session, or of one of its sub-agents, before it is applied to a document.
type report struct {
	session.Conversation        // that reports it
	makes                bool   // a document is created for it, and owned, though it creates no list
	alone                bool   // the agent works without its user
	by                   string // for the history; empty: as the events name it
	events               []continuation.Event

	reader *session.Process          // that reads the report's stream; nil where it is no stream, or one that goes on without us
	known  func(*session.Owner) bool // the owner is already recorded; called with the present owner
}

// apply applies a report to a document, and makes the reporter its owner, unless there is no list to own.
// A fresh document was never saved.
func (r *report) apply(doc *session.Document, fresh bool, now todo.Time) (session.Change, error) {
	if doc.MarkedByAnother(r.ID) {
		if !r.owns(doc) && !slices.ContainsFunc(r.events, continuation.Event.Creates) {
			return session.Change{}, nil // an end, which would end what is not the reporter's
		}
		// The other one's list will be elsewhere, and so will be the ends of what it marked.
		doc.Continuation.DropMarks()
		doc.Continuation.AbortedAt, doc.Continuation.Error = 0, nil
	}
	if r.alone {
		r.events = slices.Clone(r.events)
		for i := range r.events {
			r.events[i].Alone = true
		}
	}
	// A pause where nothing is open is no reason to refuse the rest of what an agent reports about itself.
	did, err := continuation.ApplyAll(doc, r.events, fresh && !r.makes, continuation.ErrNothingOpen, now)
	if turn := doc.Continuation.Turn; err == nil && did.What == "" && turn != nil && r.begins() && !turn.Process.Is(r.runner(doc)) {
		did.What = "turn started" // in another process than before
	}
	switch {
	case err != nil:
		return did, err
	case did.What != "":
		did.By = cmp.Or(did.By, r.by)
	case fresh && !r.makes, !r.owns(doc) || r.known(doc.Owner):
		return session.Change{}, nil
	default:
		did = session.Change{What: "owner " + r.Agent, By: cmp.Or(r.by, r.Agent)}
	}
	switch {
	case r.owns(doc):
		doc.Own(r.Conversation, now)
	case doc.Owner == nil:
		doc.Continuation.MarkedBy = r.ID
	}
	if turn := doc.Continuation.Turn; turn != nil && r.begins() {
		turn.Process = r.runner(doc)
	}
	return did, nil
}

// begins reports whether a turn begins with the report.
func (r *report) begins() bool {
	return slices.ContainsFunc(r.events, func(e continuation.Event) bool { return e.Type == continuation.TurnStart })
}

// runner returns the process with which a turn of the reporter ends; nil is unknown.
func (r *report) runner(doc *session.Document) *session.Process {
	switch o := doc.Owner; {
	case r.reader != nil:
		return r.reader
	case o != nil && o.Session == r.ID && o.EndedAt == 0:
		return o.Process
	case r.Process != nil:
		return r.Process(nil)
	}
	return nil
}

// owns reports whether the reporter becomes the owner of a document. What it marked before there was a list must
// not keep another conversation of the project from making it.
func (r *report) owns(doc *session.Document) bool { return r.Owns && (r.makes || doc.HasList()) }

// creates reports whether a call of a hook makes a document where there is none.
func creates(c hook.Call) bool {
	return c.List != nil || slices.ContainsFunc(c.Events, continuation.Event.Creates)
}

// applyCall applies the report of a hook's call to a document, and makes the caller its owner.
// A list that another live session owns is unchanged; so is the list if the caller's id is empty.
func applyCall(c hook.Call, doc *session.Document, staleAfter time.Duration, now todo.Time) (session.Change, error) {
	if !mayTouch(c, doc, staleAfter, now) {
		return session.Change{}, nil
	}
	events := c.Events
	if c.List != nil {
		if items, ok := c.List(savedBefore(doc, c.Session, now)); ok {
			events = append(slices.Clip(events), continuation.Event{Type: continuation.Todos, Items: items, LeftOut: c.LeftOut, Source: c.Agent, Deletes: c.Deletes})
		}
	}
	r := report{
		Conversation: session.Conversation{
			Agent: c.Agent, ID: c.Session, Owns: c.Session != "" && !ends(c),
			Process: func(*session.Process) *session.Process { return processOf(c, doc.Owner) },
		},
		by: "hook", events: events, alone: c.Alone,
		known: func(o *session.Owner) bool { return seen(c, o, staleAfter, now) },
	}
	return r.apply(doc, doc.Rev == 0, now)
}

// savedBefore returns the list of a document, as it was before a call of a conversation. What another conversation
// left is not the caller's own.
func savedBefore(doc *session.Document, conversation string, now todo.Time) stream.Saved {
	saved := stream.Saved{Items: doc.Todos.Current(), Since: now + 1, Now: now}
	if d := doc.Continuation.Deleted; d != nil {
		for _, it := range d.Items {
			saved.Deleted = append(saved.Deleted, it.ID)
		}
		saved.DeletedAt = d.At
	}
	switch o := doc.Owner; {
	case conversation == "":
		saved.Since = 0
	case o != nil && o.Session == conversation:
		saved.Since = o.Since
	}
	return saved
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
// A commit for each report of activity would be too many; one in each quarter of the lifetime keeps the owner live.
func seen(c hook.Call, o *session.Owner, staleAfter time.Duration, now todo.Time) bool {
	return c.Session == "" ||
		o != nil && o.Session == c.Session && o.EndedAt == 0 && o.SeenAt.Since(now) < staleAfter/4 && o.Process.Is(processOf(c, o))
}
