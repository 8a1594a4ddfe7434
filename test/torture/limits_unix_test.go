//go:build unix

package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"onward/internal/agents"
)

// fewest and most are the lowest and the highest limit of open files: fewest allows only
// the three standard ones, and most is more than a command needs.
const fewest, most = 3, 24

// TestFewFiles runs every changing command with a limit of open files at which one of its steps fails.
// Go ends a process with exit code 2 if it cannot open the files of its network poller, and from a hook,
// agents read 2 as "continue". So onward must end with a code of its own before that.
func TestFewFiles(t *testing.T) {
	var done, refused atomic.Int64
	t.Run("commands", func(t *testing.T) {
		eachMutation(t, nil, func(t *testing.T, row int, m mutation, from, p place, may states) {
			for limit := fewest + row%limits(); limit <= most; limit += limits() {
				p.restore(t, from)
				r := p.run(t, m.in, atMost("-n", limit), strings.Fields(m.args)...)
				got := p.state(t, m.look)
				problem := complaint(r)
				switch {
				case r.code == 0 && got == may.new, r.code == 79 && may.whole(got):
					done.Add(1)
				case m.letGo(r) && may.unchanged(got), r.code >= 64 && r.code < 79 && may.unchanged(got):
					refused.Add(1)
				default:
					problem = "the state is\n" + got
				}
				if problem != "" {
					t.Errorf("%d files: exit code %d: %s%s", limit, r.code, r.errors, problem)
				}
			}
			if problem := m.goesOn(t, p); problem != "" {
				t.Error(problem)
			}
		})
	})
	t.Logf("%d done, %d refused", done.Load(), refused.Load())
	if done.Load() == 0 || refused.Load() == 0 {
		t.Error("the limits have made no difference")
	}
}

// limits returns the step from one limit to the next.
func limits() int {
	if *form == "none" || raceDetector {
		return 24
	}
	return 1
}

// atMost returns a command line that lowers a limit in a shell, and then replaces the shell by the program.
func atMost(flag string, limit int) []string {
	return []string{"sh", "-c", fmt.Sprintf(`ulimit %s %d; exec "$@"`, flag, limit), "sh"}
}

// TestHooksWithFewFiles sends the recorded events of agents to every hook, with too few files to open. The hook
// must let the agent go ahead, as after any other failure, and must never end with a code other than 0.
func TestHooksWithFewFiles(t *testing.T) {
	events, err := filepath.Glob(filepath.FromSlash("../../testdata/hooks/*/*.json"))
	if err != nil || len(events) == 0 {
		t.Fatalf("%d recordings, %v", len(events), err)
	}
	from := abused(t, 3)
	old := from.state(t, everything)
	var answered, letGo atomic.Int64
	t.Run("events", func(t *testing.T) {
		for row, path := range events {
			agent := filepath.Base(filepath.Dir(path))
			if agents.Hook(agent) == nil {
				agent = "claude" // this agent runs the hooks of Claude Code
			}
			t.Run(agent+" "+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				event, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				p := from.copy(t)
				whole := p.run(t, string(event), nil, "hook", agent)
				new := p.state(t, everything)
				goAhead := agents.Hook(agent).GoAhead
				for limit := fewest + row%limits(); limit <= most; limit += limits() {
					p.restore(t, from)
					r := p.run(t, string(event), atMost("-n", limit), "hook", agent)
					switch {
					case r == whole:
						answered.Add(1)
					case r.code == 0 && r.out == goAhead:
						letGo.Add(1)
					default:
						t.Errorf("%d files: exit code %d, %q: %s", limit, r.code, r.out, r.errors)
					}
					if got := p.state(t, everything); got != old && got != new {
						t.Errorf("%d files: the state is\n%s\nit was\n%s\nand was to be\n%s", limit, got, old, new)
					}
				}
			})
		}
	})
	t.Logf("%d answered, %d let go ahead", answered.Load(), letGo.Load())
	if answered.Load() == 0 || letGo.Load() == 0 {
		t.Error("the limits have made no difference")
	}
}
