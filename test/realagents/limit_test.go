//go:build unix

package realagents

import (
	"os"
	"path/filepath"
	"testing"
)

// stubborn is a stop hook that sends the agent back to work twelve times, whatever its list contains.
const stubborn = `#!/bin/sh
case $(cat) in
*'"hook_event_name":"Stop"'* | *'"hook_event_name":"AfterAgent"'* | *'"hook_event_name":"agentStop"'*) ;;
*) exit ;;
esac
echo >>"$HOME/blocks"
[ "$(wc -l <"$HOME/blocks")" -le 12 ] || exit
echo '{"decision":"block","reason":"Continue with your list."}'
`

// TestAgentsOwnLimit counts how often an agent lets a stop hook send it back to work while it only talks.
// docs/comparison.md has these figures. Onward's own limits end a loop earlier.
func TestAgentsOwnLimit(t *testing.T) {
	// Qwen Code stops at the eighth block, and Claude Code after it.
	limits := map[string]int{"claude": 8, "qwen": 7, "codex": 12, "gemini": 12}
	each(t, func(t *testing.T, a agent) {
		want, ok := limits[a.name]
		if !ok {
			t.Skip("its stop hook is no command that prints JSON")
		}
		if n := continued(t, a, stubborn); n != want {
			t.Errorf("the agent was continued %d times, not %d", n, want)
		}
	})
}

// continued returns how often a hook, given as a script, can send an agent back to work that only talks.
func continued(t *testing.T, a agent, script string) int {
	t.Helper()
	var turns [][]reply
	for range 14 {
		turns = append(turns, []reply{textReply("I am done, I think.")})
	}
	m := newModel(t, turns...)
	p := ready(t, a, m)
	hook := filepath.Join(p.path, "onward-tap")
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p.work(a, m, task)
	return len(m.began()) - 1
}
