package continuation

import (
	"strings"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// Record returns an event as the history keeps it.
func (e *Event) Record() session.Event {
	text := strings.ToValidUTF8(e.Text+e.Reason+e.ID+e.Said, "\uFFFD") // each type has at most one of them
	if e.Type == UserPrompt {
		text = session.ShortPrompt(text)
	} else {
		text = session.ShortText(text)
	}
	return session.Event{
		Type: string(e.Type), At: e.At, Text: text,
		Status: string(e.Status), Class: string(e.ErrorClass), Calls: e.ToolCalls, Called: strings.Join(e.Calls, "\n"), Denied: strings.Join(e.DeniedTools, "\n"),
		Input: e.Usage.Input, Cached: e.Usage.Cached, Written: e.Usage.Output, Cost: e.Usage.Cost,
	}
}

// moved records the new status of an item with the time from the agent's stream: one commit may cover many
// such times. Without a time, the history of the list contains the same.
func (a *transition) moved(it *todo.Item, fresh bool) {
	if a.event.At == 0 {
		return
	}
	e := session.Event{Type: session.ItemChanged, At: a.event.At, Item: it.ID, Status: string(it.Status)}
	if it.IsLost() {
		e.Class = session.ItemLost
	}
	if fresh {
		e.Text = session.ShortText(it.Content)
	}
	a.change.Events = append(a.change.Events, e)
}

// RecordItemGate returns the event with which the history records a run of an item's gate.
func RecordItemGate(run *todo.GateRun, took time.Duration) session.Event {
	return session.Event{
		Type: session.Gated, Item: run.Item.ID, Text: session.ShortText(run.Item.Gate.Command), Code: run.Code, Problem: session.ShortText(run.Problem),
		Output: run.Output, Took: int(took.Milliseconds()), Proof: run.Grade,
	}
}

// Record returns the history's events of an answer: the result of the gate, if it ran, and the answer to the agent.
func (d *Decision) Record(gate *session.GateResult, took time.Duration) []session.Event {
	var out []session.Event
	if gate != nil {
		out = append(out, session.Event{
			Type: session.Gated, Text: session.ShortText(gate.Command), Code: gate.Code, Problem: session.ShortText(gate.Problem),
			Output: gate.Output, Took: int(took.Milliseconds()), Since: session.ShortText(strings.Join(gate.Files().Since, "\n")),
		})
	}
	if d.Outcome == Continue {
		return append(out, session.Event{Type: session.Continued, Tier: string(d.Tier)})
	}
	return append(out, session.Event{Type: session.Answered, Status: d.Reason, Text: session.ShortText(d.Message)})
}
