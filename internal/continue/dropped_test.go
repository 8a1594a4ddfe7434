package continuation

import (
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// TestItemsLostAgain lets a host lose an item, and lose it again once the agent has put it back. The agent is asked once, whether a
// gate passes or not; the user's next prompt ends that.
func TestItemsLostAgain(t *testing.T) {
	for _, command := range []string{"", "make test"} {
		doc, set, facts := document(item("a", todo.Pending)), defaults(t), Facts{}
		if set.Gate = command; command != "" {
			facts.Gate = &session.GateResult{Command: command}
		}
		loses := func() {
			for _, items := range [][]todo.Item{{item("a", todo.Pending)}, {item("b", todo.Completed)}} {
				mustApply(t, doc, Event{Type: Todos, Items: items}, Event{Type: TurnEnd})
			}
		}
		for i, want := range []string{"continue", "dropped", "prompt", "continue", "dropped"} {
			if want == "prompt" {
				mustApply(t, doc, Event{Type: UserPrompt})
				continue
			}
			loses()
			d, led := Decide(doc, facts, set, noon)
			if doc.Continuation = led; d.Reason != want {
				t.Fatalf("gate %q, step %d: %s, want %s", command, i, d.Reason, want)
			}
		}
	}
}

// TestItemsLostAndTheTurnFails: an agent whose turn failed, or was cut off with its run, has not been asked after what its list lost.
func TestItemsLostAndTheTurnFails(t *testing.T) {
	doc, set := document(item("a", todo.Pending)), defaults(t)
	mustApply(t, doc, Event{Type: Todos, Items: []todo.Item{item("b", todo.Completed)}}, Event{Type: TurnEnd})
	at := noon
	asks := func(want string) {
		t.Helper()
		at += todo.Time(time.Hour.Milliseconds())
		d, led := Decide(doc, Facts{}, set, at)
		if doc.Continuation = led; d.Reason != want {
			t.Fatalf("%s, want %s", d.Reason, want)
		}
	}
	asks("continue")
	if _, err := Apply(doc, Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorServer}, at); err != nil {
		t.Fatal(err)
	}
	asks("continue")
	GiveBackTurn(doc)
	asks("continue")
	mustApply(t, doc, Event{Type: TurnEnd})
	asks("dropped")

	// The question is repeated after a failed turn, but only mostAskedAgain times if it is the agent's program that fails.
	mustApply(t, doc, Event{Type: UserPrompt}, Event{Type: Todos, Items: []todo.Item{item("c", todo.Pending)}}, Event{Type: Todos, Items: []todo.Item{item("b", todo.Completed)}}, Event{Type: TurnEnd})
	for range mostAskedAgain + 1 {
		asks("continue")
		for _, e := range []Event{{Type: TurnEnd, Status: Failed, ErrorClass: ErrorUnknown}, {Type: TurnEnd}} {
			if _, err := Apply(doc, e, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	asks("dropped")
}
