//go:build unix

package realagents

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
		{"both in one turn", []string{"--require-proof"}, []string{check + "; " + work, ""}, 12, []string{"other files than checks changed: export"}},
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

// TestWorkersOverAGreenTree lets three agents draw from one list at the same time, where the tests pass already, each in a worktree of
// its own: an item for which nothing was done is blocked, however good it sounds, and one for which something was is completed.
func TestWorkersOverAGreenTree(t *testing.T) {
	if programs == "" {
		t.Skip(noPrograms)
	}
	trio := []agent{claude(), codex(), gemini()}
	p := newPlace(t)
	write(t, filepath.Join(p.dir, "run_test.sh"), "true\n")
	p.git("init", "--quiet")
	p.git("add", "--all")
	p.git("commit", "--quiet", "--message=first")
	for range trio {
		p.onward("-s", "queue", "todo", "add", "add an export button")
		p.onward("-s", "queue", "todo", "add", "add an import button", "--priority", "low")
	}
	said := textReply("It is done, and the tests pass.")
	var models []*model
	for _, a := range trio {
		if _, err := a.program(); err != nil {
			t.Skip(err)
		}
		models = append(models, newModel(t, []reply{said}, []reply{use(a.shell("touch import")), said}))
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	together(ctx, models...)
	var all sync.WaitGroup
	for i, a := range trio {
		worker := "w-" + a.name
		tree := filepath.Join(p.home, worker)
		p.git("worktree", "add", "--quiet", "-b", worker, tree)
		all.Go(func() {
			for _, end := range []struct {
				code  int
				words string
			}{
				{11, "unproven after 1 turn: nothing changed, and the gate passed before; the item is blocked"},
				{0, "done after 1 turn: there is no list, and the gate passed before and passes now; the item is completed"},
			} {
				_, id := p.onward("-s", "queue", "todo", "next", "--claim", "--as", worker, "--format", "id")
				code, out := p.shift(a, models[i], tree, "--item", "queue:"+strings.TrimSpace(id), "--as", worker, "--gate", "sh run_test.sh")
				if code != end.code || !strings.Contains(out, end.words) {
					t.Errorf("%s: exit %d, not %d %q\n%s", a.name, code, end.code, end.words, tail(out))
				}
			}
		})
	}
	all.Wait()
	_, out := p.onward("-s", "queue", "todo", "show", "--format", "plain")
	if strings.Count(out, "\tblocked\t") != len(trio) || strings.Count(out, "\tcompleted\t") != len(trio) {
		t.Errorf("the list:\n%s", out)
	}
}
