//go:build unix

package realagents

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kballard/go-shellquote"
)

// TestRunGoesOnWithAnotherAgent lets the host of an agent meet a limit of two hours after the first item. Another agent, with a host of
// its own, must do the rest in a new conversation, on the same list.
func TestRunGoesOnWithAnotherAgent(t *testing.T) {
	if programs == "" {
		t.Skip(noPrograms)
	}
	for _, pair := range [][2]string{{"claude", "codex"}, {"codex", "claude"}, {"gemini", "opencode"}} {
		t.Run(pair[0]+","+pair[1], func(t *testing.T) {
			var both [2]agent
			for i, name := range pair {
				both[i] = agents()[slices.IndexFunc(agents(), func(a agent) bool { return a.name == name })]
				if both[i].alone != nil {
					both[i].write = both[i].alone
				}
				if _, err := both[i].program(); err != nil {
					t.Skip(err)
				}
			}
			t.Parallel()
			first, next := both[0], both[1]
			p := newPlace(t)
			limited := newModel(t, append(first.write(1, true), reply{quota: true}))
			limited.turns = append(limited.turns, []reply{{quota: true}})
			works := slices.Concat(next.write(1, true), next.write(2, false), next.write(3, false))
			if next.name == "claude" { // its model creates one task after another, and was told of the two that are open
				works = nil
				for i, text := range items[1:] {
					works = append(works, use(call{name: "TaskCreate", args: object{"subject": text, "description": text}}),
						use(call{name: "TaskUpdate", args: object{"taskId": strconv.Itoa(i + 1), "status": "completed"}}))
				}
			}
			rest := newModel(t, append(works, textReply("I did the rest.")), []reply{textReply("There is nothing left.")})
			p.puts(first, limited)
			p.puts(next, rest)
			// What Codex says does not name the end, so a run would try again after 1, 2 and 4 minutes.
			ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
			defer cancel()
			args := append([]string{"run", pair[0] + "," + pair[1], task, "--relay-after", "30s", "--with", next.name + "=" + shellquote.Join(next.words(rest)...), "--"}, first.words(limited)...)
			cmd := exec.CommandContext(ctx, filepath.Join(p.path, "onward"), args...)
			cmd.Dir, cmd.Env = p.dir, slices.Concat(p.env(), first.env(limited), next.env(rest))
			out, _ := cmd.CombinedOutput()
			p.ended(rest, cmd.ProcessState.ExitCode(), string(out), 0, 0, next.name+" goes on", "turn 2, "+next.name+": continues in a new conversation")
			if began := rest.began(); len(began) == 0 || !strings.Contains(began[0], task) || !strings.Contains(began[0], items[1]) {
				t.Errorf("%s was not told of the task and the open items:\n%s", next.name, began)
			}
			t.Log(tail(string(out)))
		})
	}
}
