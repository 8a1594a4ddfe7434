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
		if got := GiveBack(doc); got != want || doc.Continuation.TotalPrompt != left {
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
