package continuation

import (
	"strings"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// TestRecordedEvents checks what the history records of each event: nothing if the event changes
// nothing, was only inferred, or if the list itself shows the change.
func TestRecordedEvents(t *testing.T) {
	long := strings.Repeat("long ", 4000)
	for _, c := range []struct {
		event Event
		want  session.Event
	}{
		{Event{Type: UserPrompt, Text: "go on"}, session.Event{Type: "user-prompt", Text: "go on"}},
		{Event{Type: UserPrompt, Text: long}, session.Event{Type: "user-prompt", Text: session.ShortPrompt(long)}},
		{Event{Type: UserPrompt, Text: "cut \xff"}, session.Event{Type: "user-prompt", Text: "cut \uFFFD"}},
		{Event{Type: UserPrompt, Inferred: true}, session.Event{}},
		{Event{Type: UserPrompt, Text: tag + "go on"}, session.Event{}},
		{Event{Type: TurnStart}, session.Event{}},
		{Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorServer, ToolCalls: 3, At: 77}, session.Event{Type: "turn-end", At: 77, Status: "failed", Class: "server", Calls: 3}},
		{Event{Type: ToolEnd}, session.Event{}},
		{Event{Type: Pause, Reason: "no key"}, session.Event{Type: "pause", Text: "no key"}},
		{Event{Type: Error, ErrorClass: ErrorAuth}, session.Event{Type: "error", Class: "auth"}},
		{Event{Type: BackgroundStart, ID: "b1"}, session.Event{Type: "background-start", Text: "b1"}},
		{Event{Type: Edited, Items: []todo.Item{{ID: "z", Content: "z", Status: todo.Pending}}}, session.Event{}},
	} {
		doc := &session.Document{Rev: 1, Todos: session.Todos{Active: true, Items: []todo.Item{{ID: "a", Content: "a", Status: todo.Pending}}}}
		did, err := Apply(doc, c.event, 1000)
		if err != nil {
			t.Errorf("%s: %v", c.event.Type, err)
			continue
		}
		var got session.Event
		if len(did.Events) > 0 {
			got = did.Events[0]
		}
		if got != c.want || len(did.Events) > 1 {
			t.Errorf("%+v: got %+v, want %+v", c.event, did.Events, c.want)
		}
	}
}

// TestStatusChangesAreRecordedWithStreamTime records items that changed their status, if the agent's stream has a time.
func TestStatusChangesAreRecordedWithStreamTime(t *testing.T) {
	doc := &session.Document{Rev: 1, Todos: session.Todos{Active: true, Items: []todo.Item{
		{ID: "a", Content: "a", Status: todo.Pending}, {ID: "b", Content: "b", Status: todo.Pending},
	}}}
	list := []todo.Item{{Content: "a", Status: todo.Completed}, {Content: "b", Status: todo.Pending}, {Content: "c", Status: todo.InProgress}}
	did, err := Apply(doc, Event{Type: Todos, Items: list, At: 77}, 1000)
	if err != nil || len(did.Events) != 2 || did.Events[0] != (session.Event{Type: session.ItemChanged, At: 77, Item: "a", Status: "completed"}) ||
		did.Events[1].Status != "in_progress" || did.Events[1].Item != doc.Todos.Items[2].ID || did.Events[1].Text != "c" {
		t.Errorf("got %+v, %v", did.Events, err)
	}
	if did, err = Apply(doc, Event{Type: Todos, Items: list[:1]}, 1000); err != nil || len(did.Events) > 0 {
		t.Errorf("without a time: got %+v, %v", did.Events, err)
	}
}

// TestRecordedAnswers checks the record of an answer, which includes the gate's result if the gate ran for it.
func TestRecordedAnswers(t *testing.T) {
	gate := &session.GateResult{Command: "go test", Code: 1, Output: "FAIL"}
	ran := session.Event{Type: session.Gated, Text: "go test", Code: 1, Output: "FAIL", Took: 1500}
	for _, c := range []struct {
		decision Decision
		gate     *session.GateResult
		want     []session.Event
	}{
		{Decision{Outcome: Continue, Tier: TierLast}, nil, []session.Event{{Type: session.Continued, Tier: "last"}}},
		{Decision{Outcome: Continue, Tier: TierGate}, gate, []session.Event{ran, {Type: session.Continued, Tier: "gate"}}},
		{Decision{Outcome: Limit, Reason: "total", Message: "enough"}, nil, []session.Event{{Type: session.Answered, Status: "total", Text: "enough"}}},
	} {
		got := c.decision.Record(c.gate, 1500*time.Millisecond)
		if len(got) != len(c.want) || got[0] != c.want[0] || got[len(got)-1] != c.want[len(c.want)-1] {
			t.Errorf("%+v: got %+v", c.decision, got)
		}
	}
}
