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
	session.Conversation                // that reports it
	makes                bool           // a document is created for it, and owned, though it creates no list
	writer               todo.Authority // the agent, by what onward knows of it
	runBegan             todo.Time      // when the run began that the agent works in; 0 is none
	by                   string         // for the history; empty: as the events name it
	events               []continuation.Event

	reader *session.Process          // that reads the report's stream; nil if the report is not a stream, or does not depend on this process
	known  func(*session.Owner) bool // the owner is already recorded; called with the present owner
}

// apply applies a report to a document, and makes the reporter its owner, unless there is no list to own.
// A fresh document was never saved.
func (r *report) apply(doc *session.Document, fresh bool, now todo.Time) (session.Change, error) {
	if doc.MarkedByAnother(r.ID) {
		if !r.BecomesOwner(doc, r.makes) && !slices.ContainsFunc(r.events, continuation.Event.CreatesDocument) {
			return session.Change{}, nil // an end, which would end what is not the reporter's
		}
		// The other one's list will be elsewhere, and so will be the ends of what it marked.
		doc.Continuation.DropMarks()
		doc.Continuation.AbortedAt, doc.Continuation.Error = 0, nil
	}
	if slices.ContainsFunc(r.events, func(e continuation.Event) bool { return e.Type == continuation.Todos }) {
		r.writer.Worker.Name = cmp.Or(r.writer.Worker.Name, r.Conversation.Worker().Name)
		r.events = slices.Clone(r.events)
		for i := range r.events {
			e := &r.events[i]
			e.Writer, e.RunBegan = r.writer, r.runBegan
			switch {
			case r.runBegan == 0:
			case r.Is(doc.Owner):
				e.Since = doc.Owner.Since
			default:
				e.Since = now
			}
		}
	}
	// A pause where nothing is open is no reason to refuse the rest of what an agent reports about itself.
	did, err := continuation.ApplyAll(doc, r.events, fresh && !r.makes, continuation.ErrNothingOpen, now)
	if turn := doc.Continuation.Turn; err == nil && did.What == "" && turn != nil && r.begins() && !turn.Process.Is(r.turnProcess(doc)) {
		did.What = "turn started" // in another process than before
	}
	switch {
	case err != nil:
		return did, err
	case did.What != "":
		did.By = cmp.Or(did.By, r.by)
	case fresh && !r.makes, !r.BecomesOwner(doc, r.makes) || r.known(doc.Owner):
		return session.Change{}, nil
	default:
		did = session.Change{What: "owner " + r.Agent, By: cmp.Or(r.by, r.Agent)}
	}
	switch {
	case r.BecomesOwner(doc, r.makes):
		doc.SetOwner(r.Conversation, now)
	case doc.Owner == nil:
		doc.Continuation.MarkedBy = r.ID
	}
	if turn := doc.Continuation.Turn; turn != nil && r.begins() {
		turn.Process = r.turnProcess(doc)
	}
	return did, nil
}

// begins reports whether a turn begins with the report.
func (r *report) begins() bool {
	return slices.ContainsFunc(r.events, func(e continuation.Event) bool { return e.Type == continuation.TurnStart })
}

// turnProcess returns the process with which a turn of the reporter ends; nil is unknown.
func (r *report) turnProcess(doc *session.Document) *session.Process {
	if r.reader != nil {
		return r.reader
	}
	return r.TurnProcess(doc.Owner)
}

// createsDocument reports whether a call of a hook makes a document if there is none.
func createsDocument(c hook.Call) bool {
	return c.List != nil || slices.ContainsFunc(c.Events, continuation.Event.CreatesDocument)
}

// applyCall applies the report of a hook's call to a document, and makes the caller its owner.
// A list that another live session owns is unchanged; so is the list if the caller's id is empty.
func applyCall(c hook.Call, doc *session.Document, staleAfter time.Duration, now todo.Time) (session.Change, error) {
	from := conversationOf(c)
	if !from.MayChange(doc, staleAfter, now) {
		return session.Change{}, nil
	}
	events := c.Events
	if c.List != nil {
		if items, ok := c.List(savedBefore(doc, from, now)); ok {
			events = append(slices.Clip(events), continuation.Event{Type: continuation.Todos, Items: items, LeftOut: c.LeftOut, Source: c.Agent, Deletes: c.Deletes})
		}
	}
	r := report{
		Conversation: from, by: "hook", events: events, writer: c.Writer,
		known: func(o *session.Owner) bool { return from.WasNotedRecently(o, staleAfter, now) },
	}
	r.Process = func(*session.Process) *session.Process { return from.ProcessFor(doc.Owner) }
	return r.apply(doc, doc.Rev == 0, now)
}

// savedBefore returns the list of a document, as it was before a call of a conversation.
func savedBefore(doc *session.Document, c session.Conversation, now todo.Time) stream.Saved {
	saved := stream.Saved{Items: doc.Todos.Current(), Since: c.OwnsSince(doc.Owner, now), Now: now}
	if d := doc.Continuation.Deleted; d != nil {
		for _, it := range d.Items {
			saved.Deleted = append(saved.Deleted, it.ID)
		}
		saved.DeletedAt = d.At
	}
	return saved
}

// endsConversation reports whether the conversation ends with the call, and the ownership with it.
func endsConversation(c hook.Call) bool {
	return slices.ContainsFunc(c.Events, func(e continuation.Event) bool { return e.Type == continuation.SessionEnd })
}

// conversationOf returns the conversation that a call of a hook is from.
func conversationOf(c hook.Call) session.Conversation {
	return session.Conversation{
		Agent: c.Agent, ID: c.Session, Owns: c.Session != "" && !endsConversation(c), Anonymous: c.Anonymous, Begins: c.Kind == hook.Start, Process: c.Process,
	}
}
