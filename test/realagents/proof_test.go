//go:build unix

package realagents

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestProof runs agents for what a gate proves: one that is lazy where the tests pass already, one that writes the check first,
// and those that do that and the work in one turn, weaken the check, or edit a protected file.
func TestProof(t *testing.T) {
	const check, weaker, work = `echo 'test -e export' >export_test.sh`, `true >export_test.sh`, `touch export`
	for _, c := range []struct {
		name  string
		flags []string
		turns []string // the command that the model runs in each turn; empty is none
		code  int
		words []string
	}{
		{"lazy", nil, []string{"", ""}, 14, []string{"the gate passes already", "and the gate passed before"}},
		{"check first", []string{"--require-proof"}, []string{check, work}, 0, []string{
			"turn 1: asked for a check that fails", "turn 2: the task", "the gate failed with the new checks before the work and passes now",
		}},
		{"both in one turn", []string{"--require-proof"}, []string{check + "; " + work, ""}, 12, []string{"files changed that are no checks: export"}},
		{"check weakened", []string{"--require-proof"}, []string{check, work + "; " + weaker, ""}, 11, []string{
			"turn 3: told to bring files back", "the agent changed 1 check: export_test.sh; that is not proven",
		}},
		{"check brought back", []string{"--require-proof"}, []string{check, work + "; " + weaker, check}, 0, []string{"turn 3: told to bring files back", "the gate failed with the new checks before the work and passes now"}},
		{"protected file", []string{"--protect-files", "api"}, []string{"echo 2 >api", ""}, 11, []string{"turn 2: told to bring files back", "protected"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachAlone(t, func(t *testing.T, a agent) {
				if !slices.Contains([]string{"claude", "codex", "gemini"}, a.name) {
					t.Skip("three agents show it")
				}
				p := newPlace(t)
				write(t, filepath.Join(p.dir, "api"), "1\n")
				write(t, filepath.Join(p.dir, "run_test.sh"), "for check in *_test.sh; do\n  test $check = run_test.sh || sh $check || exit 1\ndone\n")
				p.git("init", "--quiet")
				p.git("add", "--all")
				p.git("commit", "--quiet", "--message=first")
				var turns [][]reply
				for _, command := range c.turns {
					said := textReply("It is done, and the tests pass.")
					if command == "" {
						turns = append(turns, []reply{said})
					} else {
						turns = append(turns, []reply{use(a.shell(command)), said})
					}
				}
				m := newModel(t, append(turns, []reply{textReply("I was asked once too often.")})...)
				code, out := p.night(a, m, append([]string{"--gate", "sh run_test.sh"}, c.flags...)...)
				if n := len(m.began()); code != c.code || n != len(c.turns) {
					t.Errorf("exit %d, not %d, after %d turns, not %d\n%s", code, c.code, n, len(c.turns), tail(out))
				}
				for _, words := range c.words {
					if !strings.Contains(out, words) {
						t.Errorf("it did not say %q\n%s", words, tail(out))
					}
				}
			})
		})
	}
}
