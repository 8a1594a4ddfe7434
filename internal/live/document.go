package live

import (
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// EventsBetween returns the events of a session between two reads of its document; nil means no document.
// Much may have happened: what counts for a view is the list as it is now, and how the last turn ended.
func EventsBetween(before, after *session.Document) []continuation.Event {
	if before == nil || after == nil {
		// The first look reports the list, even if it was aborted long ago.
		if !ListChanged(before, after) {
			return nil
		}
		return []continuation.Event{{Type: continuation.Todos, Items: after.Current()}}
	}
	var events []continuation.Event
	add := func(e continuation.Event) { events = append(events, e) }
	if ListChanged(before, after) || goesOn(before, after) {
		add(continuation.Event{Type: continuation.Todos, Items: after.Todos.Current()})
	}
	was, is := &before.Continuation, &after.Continuation
	switch {
	case is.AbortedAt != 0 && is.AbortedAt != was.AbortedAt:
		add(continuation.Event{Type: continuation.Abort})
	case is.Error != nil && (was.Error == nil || was.Error.Count != is.Error.Count || was.Error.At != is.Error.At):
		add(continuation.Event{Type: continuation.Error})
	case before.Owner != nil && after.Owner == nil:
		add(continuation.Event{Type: continuation.SessionEnd})
	case is.Turns > was.Turns:
		add(continuation.Event{Type: continuation.TurnEnd, Status: continuation.Done})
	}
	return events
}

// ListChanged reports whether the current list is another one; nil means no document.
func ListChanged(before, after *session.Document) bool {
	return !todo.Equal(before.Current(), after.Current())
}

// goesOn reports whether a conversation continues after its end, an abort or an error. Its list then comes back.
// A list that no agent owns can be aborted too, and continues without one.
func goesOn(before, after *session.Document) bool {
	stopped := func(doc *session.Document) bool {
		return doc.Continuation.AbortedAt != 0 || doc.Continuation.Error != nil
	}
	return !stopped(after) && (stopped(before) || before.Owner == nil && after.Owner != nil)
}

// GateRan reports whether the gate of a list came to a result between two reads of its document.
func GateRan(before, after *session.Document) bool {
	return before != nil && after != nil && after.Continuation.Gate != nil &&
		(before.Continuation.Gate == nil || before.Continuation.Gate.Rev != after.Continuation.Gate.Rev)
}

// ListWriter names who a list is from: the agent that owns it, else its session, or
// the project where the session's name was made from its folder.
func ListWriter(name session.Name, doc *session.Document) string {
	if doc != nil && doc.Owner != nil && doc.Owner.Agent != "" {
		return doc.Owner.Agent
	}
	if folder, derived := session.DerivedFrom(name.Session); derived {
		return folder
	}
	return name.Session
}

// WhyNoList reports why a live view shows no list; doc is nil if there never was one.
func WhyNoList(doc *session.Document) string {
	if len(doc.Current()) == 0 {
		return WhyNoItems(doc)
	}
	l := &doc.Continuation
	switch {
	case l.AbortedAt != 0:
		return "the turn was aborted"
	case l.Error != nil:
		return continuation.FailedText("the agent's last turn", l.Error.Class)
	}
	return "the conversation is over"
}

// WhyNoItems reports why there are no items to show; doc is nil if there never was a list.
func WhyNoItems(doc *session.Document) string {
	switch {
	case doc == nil:
		return "no list"
	case !doc.Todos.Active && len(doc.Todos.Items) > 0:
		return "no active list (the last one was archived)"
	case !doc.Todos.Active:
		return "no active list"
	default:
		return "the list is empty"
	}
}
