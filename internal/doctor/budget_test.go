package doctor

import (
	"testing"

	"onward/internal/session"
)

func TestBudgetOfAnAgentWithoutCost(t *testing.T) {
	of := func(agent string) *session.Document { return &session.Document{Owner: &session.Owner{Agent: agent}} }
	for _, c := range []struct {
		name   string
		doc    *session.Document
		maxUSD float64
		notes  bool // of a session
		found  bool // with this budget
	}{
		{"no list", nil, 5, false, false},
		{"no agent", &session.Document{}, 5, false, false},
		{"an agent with cost", of("claude"), 5, false, false},
		{"one without", of("codex"), 5, true, true},
		{"one without, and no budget", of("codex"), 0, true, false},
	} {
		reports := func(agent string) bool { return agent == "claude" }
		note, hint := NoCost(c.doc, reports)
		found := Budget(c.doc, c.maxUSD, reports)
		if (note != "") != c.notes || (hint != "") != c.notes || len(found) == 1 != c.found {
			t.Errorf("%s: %q, %q, %v", c.name, note, hint, found)
		}
	}
}
