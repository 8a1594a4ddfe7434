package night

import (
	"strings"
	"testing"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/agent"
	continuation "onward/internal/continue"
)

// notes keeps what the user is told at a run's start.
type notes struct {
	Reporter
	all []string
}

func (n *notes) Note(text string) { n.all = append(n.all, text) }

// TestBudgetNote tells the user of each agent what limits its spending, by what the agent tells and when.
func TestBudgetNote(t *testing.T) {
	tokens, usd, duration := continuation.Settings{MaxTokens: 1}, continuation.Settings{MaxUSD: 1}, continuation.Settings{MaxDuration: time.Hour}
	for _, c := range []struct {
		agent string
		set   continuation.Settings
		want  string
	}{
		{"claude", continuation.Settings{}, "no budget: --max-usd or --max-tokens"},
		{"claude", duration, "no budget: --max-usd or --max-tokens"},
		{"claude", tokens, ""},
		{"claude", usd, "claude reports its cost only at the end of a turn"},
		{"claude", continuation.Settings{MaxUSD: 1, MaxTokens: 1}, ""},
		{"opencode", usd, ""},
		{"codex", continuation.Settings{}, "no budget: --max-tokens ends"},
		{"codex", tokens, ""},
		{"kimi", tokens, "kimi reports tokens only at the end of a turn"},
		{"copilot", tokens, "copilot reports tokens only at the end of a turn"},
		{"kimi", tokens, "kimi reports tokens only at the end of a turn"},
		{"copilot", continuation.Settings{}, "no budget: --max-tokens ends"},
	} {
		p, known := agents.ProgramOf(c.agent)
		if got := budgetNote(&p, c.set); !known || !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s with %+v: %q, want %q", c.agent, c.set, got, c.want)
		}
	}
	relay := &notes{}
	r := Runner{Tell: relay}
	for _, name := range []string{"claude", "codex", "copilot"} {
		p, _ := agents.ProgramOf(name)
		r.Relay = append(r.Relay, Agent{Name: name, Program: p, Words: []string{"-m", "a b"}})
	}
	r.tellAgents(continuation.Settings{MaxUSD: 1, MaxTokens: 1})
	want := `claude is started with -m 'a b'
codex is started with -m 'a b'
copilot is started with -m 'a b'
codex does not report its cost, so --max-usd does not count it
copilot does not report its cost, so --max-usd does not count it
copilot reports tokens only at the end of a turn, so --max-tokens cannot end one early`
	if got := strings.Join(relay.all, "\n"); got != want {
		t.Errorf("several agents:\n%s", got)
	}
	p := agent.GenericProgram([]string{"tool"})
	if got := budgetNote(&p, continuation.Settings{}); got != "" {
		t.Errorf("generic: %q", got)
	}
	if got, want := budgetNote(&p, tokens), "generic does not report tokens, so --max-tokens does not count its turns; use --max-duration"; got != want {
		t.Errorf("generic: %q", got)
	}
}
