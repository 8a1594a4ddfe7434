//go:build unix

package realagents

import (
	"strings"
	"testing"
)

// contextAtStop is a stop hook that, like onward, sends Claude Code back to work with context and not with a block.
var contextAtStop = strings.Replace(stubborn, `{"decision":"block","reason":"Continue with your list."}`,
	`{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"Continue with your list."}}`, 1)

// TestClaudeIsNotShownAnError checks that Claude Code, when it is sent back to work by context, shows no hook error to its user,
// and that its own limit of continuations applies to context too.
func TestClaudeIsNotShownAnError(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name != "claude" {
			t.Skip("its stop hook continues it in one way only")
		}
		m := diligent(t, a)
		p := ready(t, a, m)
		out := p.work(a, m, task)
		calls := p.taps()
		for _, c := range calls {
			if c.event() == "Stop" && c.blocks() && !strings.HasPrefix(c.Stdout, `{"hookSpecificOutput":`) {
				t.Errorf("it was sent on by %.100s", c.Stdout)
			}
		}
		if n := blocked(calls); n != 2 || strings.Contains(out, "stop-hook-error") {
			t.Errorf("it was sent on %d times, not twice, or shows an error:\n%s", n, out)
		}
		if n := continued(t, a, contextAtStop); n != 8 {
			t.Errorf("Claude Code was continued %d times by context, not 8", n)
		}
	})
}
