package continuation

import (
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// record returns an event as the history keeps it.
func (e *Event) record() session.Event {
	text := e.Text + e.Reason + e.ID // of which a type has one at most
	return session.Event{
		Type: string(e.Type), At: e.At, Text: session.Short(strings.ToValidUTF8(text, "\uFFFD")),
		Status: string(e.Status), Class: string(e.ErrorClass), Calls: e.ToolCalls,
		Input: e.Usage.Input, Written: e.Usage.Output, Cost: e.Usage.Cost,
	}
}

// moved records that an item came to a status at a time that the agent's stream has: a commit may be of many
// such times. Without one, the history of the list says the same.
func (a *applied) moved(it *todo.Item, fresh bool) {
	if a.event.At == 0 {
		return
	}
	e := session.Event{Type: session.Moved, At: a.event.At, Item: it.ID, Status: string(it.Status)}
	if fresh {
		e.Text = session.Short(it.Content)
	}
	a.change.Events = append(a.change.Events, e)
}

// Record returns what an answer is in the history: what came of the gate, where that is news, and what the agent was told.
// The ledger is the one that was decided on, for a document of that revision.
func (d *Decision) Record(ledger *session.Ledger, rev uint64) []session.Event {
	var out []session.Event
	if g := ledger.Gate; g != nil && g.Rev == rev+1 {
		out = append(out, session.Event{Type: session.Gated, Text: session.Short(g.Command), Code: g.Code, Problem: session.Short(g.Problem), Output: g.Output})
	}
	if d.Outcome == Continue {
		return append(out, session.Event{Type: session.Continued, Tier: string(d.Tier)})
	}
	return append(out, session.Event{Type: session.Answered, Status: d.Reason, Text: session.Short(d.Message)})
}
