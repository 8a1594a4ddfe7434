package torture

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestStateIndependentOfLatency makes every system call last a millisecond longer. With a fixed clock, a command
// must lead to the same state as on a fast machine: its own duration must not get into the store.
func TestStateIndependentOfLatency(t *testing.T) {
	needSweep(t)
	needStrace(t)
	eachMutation(t, nil, func(t *testing.T, _ int, m mutation, _, p place, may states) {
		wrap := []string{"strace", "-f", "-q", "-o", filepath.Join(p.dir, "log"), "-e", "inject=all:delay_enter=1000"}
		r := p.run(t, m.in, wrap, strings.Fields(m.args)...)
		if got := p.state(t, m.look); r.code != 0 || got != may.new {
			t.Errorf("exit code %d: %s\nthe state is\n%s\nand was to be\n%s", r.code, r.errors, got, may.new)
		}
	})
}
