package continuation

import (
	"strings"
	"testing"

	"onward/internal/session"
)

// TestDenied checks the decision after turns of which each has a number of calls, some or all of them denied. Denied calls are
// no work.
func TestDenied(t *testing.T) {
	for name, c := range map[string]struct {
		turns  [][2]int
		reason string
		worked int // calls that count as work
	}{
		"one turn":                         {[][2]int{{3, 3}}, "continue", 0},
		"two turns":                        {[][2]int{{3, 3}, {5, 4}}, ReasonPermissions, 1},
		"two turns with few calls":         {[][2]int{{1, 1}, {1, 1}}, "continue", 0},
		"three turns with few calls":       {[][2]int{{1, 1}, {1, 1}, {1, 1}}, ReasonPermissions, 0},
		"a turn without a call in between": {[][2]int{{3, 3}, {0, 0}, {3, 3}}, ReasonPermissions, 0},
		"a turn with work in between":      {[][2]int{{3, 3}, {4, 3}, {3, 3}}, "continue", 1},
		"work after them":                  {[][2]int{{3, 3}, {3, 3}, {2, 0}}, "continue", 2},
	} {
		doc := document()
		doc.Continuation = session.Ledger{}
		for _, turn := range c.turns {
			if _, err := ApplyAll(doc, []Event{{Type: TurnEnd, ToolCalls: turn[0], DeniedToolCalls: turn[1], DeniedTools: []string{"Bash"}}}, false, nil, noon); err != nil {
				t.Fatal(err)
			}
		}
		d, _ := Decide(doc, Facts{}, defaults(t), noon)
		if d.Reason != c.reason || doc.Continuation.ToolCalls != c.worked {
			t.Errorf("%s: the answer is %s, and %d calls count, want %s and %d", name, d.Reason, doc.Continuation.ToolCalls, c.reason, c.worked)
		}
		// The user's prompt and a resume begin anew.
		for _, typ := range []Type{UserPrompt, Resume} {
			after := *doc
			if _, err := ApplyAll(&after, []Event{{Type: typ}}, false, nil, noon); err != nil || after.Continuation.Denied != nil {
				t.Errorf("%s, then %s: got %+v, %v", name, typ, after.Continuation.Denied, err)
			}
		}
	}
}

// TestDeniedOverAPassingGate checks the decision after two turns in which everything was denied, with a passing gate and no list.
func TestDeniedOverAPassingGate(t *testing.T) {
	for idle, want := range map[bool]string{true: ReasonPermissions, false: "done"} {
		doc := document()
		doc.Todos.Active = false
		doc.Continuation = session.Ledger{Denied: &session.DeniedCalls{Turns: 2, Calls: 6}}
		d, _ := Decide(doc, Facts{Idle: idle, Gate: &session.GateResult{Command: "true"}}, defaults(t), noon)
		if d.Reason != want {
			t.Errorf("idle %v: the answer is %s, want %s", idle, d.Reason, want)
		}
	}
}

// TestDeniedIsChecked refuses more denied calls than there were.
func TestDeniedIsChecked(t *testing.T) {
	if err := (Event{Type: TurnEnd, ToolCalls: 2, DeniedToolCalls: 3}).Check(); err == nil || !strings.Contains(err.Error(), "of 2 tool calls, 3 cannot have been denied") {
		t.Error(err)
	}
}
