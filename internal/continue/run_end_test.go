package continuation

import (
	"testing"

	"onward/internal/session"
	"onward/internal/todo"
)

// TestARunsGateIsExpected follows the gate that came with a run: to its pass, to the end of the run, or to the user's prompt.
func TestARunsGateIsExpected(t *testing.T) {
	own := defaults(t)
	own.Gate, own.GateFrom = "make test", FromFlag
	begun := func() *session.Document {
		s := &scene{doc: document(), set: own}
		s.finished()
		if c := ExpectGate(s.doc, own); c.What == "" || s.doc.Continuation.RunGate != "make test" {
			t.Fatalf("the gate is not noted: %+v", s.doc.Continuation)
		}
		return s.doc
	}
	for code, want := range []string{"", "make test"} {
		doc := begun()
		if _, led := Decide(doc, Facts{Gate: &session.GateResult{Command: "make test", Code: code}}, own, noon); led.RunGate != want {
			t.Errorf("after exit code %d the run's gate is %q, want %q", code, led.RunGate, want)
		}
	}
	doc := begun()
	if c := EndRun(doc, AtLimit, Decision{Reason: "gate"}, true, nil, noon); c.What == "" || len(c.Events) != 0 || doc.Continuation.RunGate != "" || doc.Continuation.RunEnd != nil {
		t.Errorf("the end of the run: %+v, %+v", c, doc.Continuation)
	}
	if c := EndRun(doc, AtLimit, Decision{Reason: "gate"}, true, nil, noon); c.What != "" {
		t.Errorf("an end that shows by itself is committed: %+v", c)
	}
	for _, e := range []Event{{Type: UserPrompt}, {Type: Cleared, By: todo.ByUser}} {
		doc = begun()
		if _, err := Apply(doc, e, noon); err != nil || doc.Continuation.RunGate != "" {
			t.Errorf("after %s: %+v, %v", e.Type, doc.Continuation, err)
		}
	}
	doc = begun()
	if c := ExpectGate(doc, defaults(t)); c.What == "" || doc.Continuation.RunGate != "" {
		t.Errorf("a run without a gate of its own: %+v", doc.Continuation)
	}
}
