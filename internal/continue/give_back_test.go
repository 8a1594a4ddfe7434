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
