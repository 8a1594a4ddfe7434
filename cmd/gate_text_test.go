package cmd

import (
	"strings"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

func TestGate(t *testing.T) {
	at := todo.Time(1_767_258_000_000)
	for _, c := range []struct {
		proof  session.GateResult
		remark string // as a live view shows it
		lines  string // as a command prints it, with the output
	}{
		{session.GateResult{Command: "make"}, "gate passed: make", ""},
		{session.GateResult{Command: "make", Code: 2, Failures: 1, Output: "\tred\nFAIL"}, "gate failed with exit code 2: make", "gate failed with exit code 2: make\n  |     red\n  | FAIL\n"},
		{
			session.GateResult{Command: "make\x1b[2J", Code: 1, Failures: 2, Output: "\u202Ex"},
			`gate failed with exit code 1, 2 times in a row without work: make\u001b[2J`,
			"gate failed with exit code 1, 2 times in a row without work: make\\u001b[2J\n  | \\u202ex\n",
		},
		{session.GateResult{Command: "make", Problem: "it ran longer than 1s"}, "gate has no result: it ran longer than 1s: make", "gate has no result: it ran longer than 1s: make\n"},
	} {
		doc := &session.Document{Todos: session.Todos{Active: true, Items: []todo.Item{{ID: "a", Status: todo.Completed}}}}
		doc.Continuation.Gate = &c.proof
		if got := output.GateRemark(doc); got != c.remark {
			t.Errorf("got %q, want %q", got, c.remark)
		}
		if got := output.GateFailure(&c.proof); got != c.lines {
			t.Errorf("got %q, want %q", got, c.lines)
		}
		c.proof.At = at
		shown := sessionText(session.Name{Session: "s"}, "f", doc, continuation.Standing{}, "", render.Style{}, at.Time().Add(2*time.Minute))
		if !strings.Contains(shown, "\ngate       ") || !strings.Contains(shown, "2 minutes ago: "+render.Text(c.proof.Command)) {
			t.Errorf("got\n%s", shown)
		}
		doc.Todos.Items[0].Status = todo.Pending
		if got := output.GateRemark(doc); got != "" {
			t.Errorf("an old result is shown for an open list: %q", got)
		}
	}
	if got := output.GateRemark(nil); got != "" {
		t.Errorf("got %q", got)
	}
}
