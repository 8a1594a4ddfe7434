package continuation

import (
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// TestTakeUp checks that resuming a run that was cut off ends an interrupt and the ownership of its conversation, but not a pause or a stop.
func TestTakeUp(t *testing.T) {
	doc := &session.Document{Continuation: session.Ledger{AbortedAt: 1, StoppedAt: 2, Paused: &session.Paused{}}}
	if !TakeUp(doc, "", 3) || TakeUp(doc, "", 3) {
		t.Error("an interrupt is not over once")
	}
	if l := doc.Continuation; l.AbortedAt != 0 || l.StoppedAt == 0 || l.Paused == nil {
		t.Errorf("%+v", l)
	}
	doc.Owner = &session.Owner{Session: "t1", SeenAt: 3}
	if TakeUp(doc, "t2", 4) || !TakeUp(doc, "t1", 4) || doc.Owner.Excludes("t2", time.Hour, 4) {
		t.Errorf("%+v", doc.Owner)
	}
}

// TestGiveBack checks that the continuation of a turn that was cut off is given back once, and never one whose turn has ended.
func TestGiveBack(t *testing.T) {
	const now = todo.Time(1_800_000_000_000)
	set, _, err := Resolve()
	if err != nil {
		t.Fatal(err)
	}
	doc := &session.Document{Session: "s", Agent: session.Primary}
	apply := func(e Event) {
		t.Helper()
		if _, err := ApplyAll(doc, []Event{e}, false, nil, now); err != nil {
			t.Fatal(err)
		}
	}
	ask := func() {
		t.Helper()
		var d Decision
		if d, doc.Continuation = Decide(doc, Facts{}, set, now); d.Outcome != Continue {
			t.Fatalf("the answer is %s", d.Reason)
		}
	}
	gives := func(want bool, left int) {
		t.Helper()
		if got := GiveBackTurn(doc); got != want || doc.Continuation.TotalPrompt != left {
			t.Fatalf("given back: %v; %d continuations are left", got, doc.Continuation.TotalPrompt)
		}
	}
	apply(Event{Type: Todos, Items: []todo.Item{{Content: "one", Status: todo.Pending}}, Source: "claude"})
	gives(false, 0)
	ask()
	gives(true, 0)
	gives(false, 0)
	ask()
	apply(Event{Type: TurnEnd, Source: "claude"})
	gives(false, 1)
	ask()
	apply(Event{Type: UserPrompt, Source: "claude"})
	gives(false, 0)
}

// TestUserTurnRefundsNothing checks that the total of the list stays where the turn that fails is the user's: the
// continuation before had been sent, and the counter since the user's prompt is 0 already.
func TestUserTurnRefundsNothing(t *testing.T) {
	for _, end := range []Event{
		{Type: Error, ErrorClass: ErrorServer, EndsTurn: true},
		{Type: TurnEnd, Status: Failed, ErrorClass: ErrorRateLimit},
	} {
		doc := document(item("a", todo.Pending))
		d, led := Decide(doc, Facts{}, defaults(t), noon)
		if d.Outcome != Continue || led.TotalSession != 1 {
			t.Fatalf("got %s, %d", d.Reason, led.TotalSession)
		}
		doc.Continuation, doc.Rev = led, doc.Rev+1
		for _, e := range []Event{{Type: TurnStart}, {Type: UserPrompt}, end} {
			mustApply(t, doc, e)
		}
		if l := doc.Continuation; l.TotalSession != 1 || l.Refunds != 0 {
			t.Errorf("%s: the list has %d continuations and %d refunds, want 1 and 0", end.Type, l.TotalSession, l.Refunds)
		}
	}
}

// messagesOf decides, and returns the ids of the messages that go out with the answer.
func messagesOf(doc *session.Document, f Facts, set Settings) (ids []string) {
	var d Decision
	d, doc.Continuation = Decide(doc, f, set, noon)
	for _, m := range d.Messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// TestUnreadMessage checks that a message of an agent goes out once more if its user's prompt is what follows, and only then.
func TestUnreadMessage(t *testing.T) {
	set := defaults(t)
	for _, c := range []struct {
		name   string
		by     string
		before func(*session.Document)
		active todo.Time
		again  bool
	}{
		{name: "nothing", by: "claude", again: true},
		{name: "a tool call", by: "claude", active: in(time.Second)},
		{name: "a turn", by: "claude", before: func(d *session.Document) { d.Continuation.Turns++ }},
		{name: "a list", by: "claude", before: func(d *session.Document) { d.Todos.UpdatedAt = in(time.Second) }},
		{name: "another prompt", by: "claude", before: func(d *session.Document) { d.Continuation.PromptAt = in(time.Second) }},
		{name: "the user's message"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := document()
			ask := func(f Facts) []string { return messagesOf(doc, f, set) }
			if got := ask(Facts{Messages: []Queued{{ID: "m", Text: "look", By: c.by}}}); len(got) != 1 {
				t.Fatalf("sent: %v", got)
			}
			if c.before != nil {
				c.before(doc)
			}
			NoteUnread(doc, c.active)
			doc.Continuation.PromptAt = in(time.Minute) // the prompt, with which a turn begins that calls tools
			doc.Continuation.Turns++
			later := Facts{ActiveAt: in(2 * time.Minute), ToolCalls: new(1)}
			if got := ask(later); (len(got) == 1) != c.again {
				t.Errorf("sent again: %v", got)
			}
			doc.Continuation.Turns++
			if got := ask(later); len(got) > 0 {
				t.Errorf("sent a third time: %v", got)
			}
		})
	}
}

// TestMessageOfTurnThatWasCutOff checks that a message of an agent goes out once more if its turn was cut off before the agent did
// anything, and only then. One of the user is in the record of the run.
func TestMessageOfTurnThatWasCutOff(t *testing.T) {
	set := defaults(t)
	for _, c := range []struct {
		name   string
		by     string
		cut    bool
		active todo.Time
		again  bool
	}{
		{name: "before the agent did anything", by: "claude", cut: true, again: true},
		{name: "after that", by: "claude", cut: true, active: in(time.Second)},
		{name: "not at all", by: "claude"},
		{name: "the user's", cut: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := document()
			ask := func(f Facts) []string {
				f.ToolCalls = new(int)
				return messagesOf(doc, f, set)
			}
			if got := ask(Facts{Messages: []Queued{{ID: "m", Text: "look", By: c.by}}}); len(got) != 1 {
				t.Fatalf("sent: %v", got)
			}
			if c.cut && GiveBackTurn(doc) == (c.by == "") { // the user's words are no continuation that counts
				t.Fatal("the continuation is not given back")
			}
			if got := ask(Facts{ActiveAt: c.active}); (len(got) == 1) != c.again {
				t.Errorf("sent again: %v", got)
			}
			if got := ask(Facts{}); len(got) > 0 {
				t.Errorf("sent a third time: %v", got)
			}
		})
	}
}
