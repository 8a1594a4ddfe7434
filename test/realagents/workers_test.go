//go:build unix

package realagents

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestWorkersOfTwoMakers lets two agents draw from one list at the same time, each in a git worktree of its own.
func TestWorkersOfTwoMakers(t *testing.T) {
	if programs == "" {
		t.Skip(noPrograms)
	}
	p := newPlace(t)
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", p.dir, "-c", "user.name=me", "-c", "user.email=me@example.com"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	git("commit", "--quiet", "--allow-empty", "--message", "begin")
	p.onward("-s", "release", "todo", "add", "port the parser")
	p.onward("-s", "release", "todo", "add", "port the lexer")
	pair := [...]agent{claude(), codex()}
	var models [len(pair)]*model
	for i, a := range pair {
		if _, err := a.program(); err != nil {
			t.Skip(err)
		}
		models[i] = diligent(t, a)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	together(ctx, models[:]...)
	var both sync.WaitGroup
	for i, a := range pair {
		worker := "w-" + a.name
		code, id := p.onward("-s", "release", "todo", "next", "--claim", "--as", worker, "--format", "id")
		if code != 0 {
			t.Fatalf("claim: exit %d: %s", code, id)
		}
		tree := filepath.Join(t.TempDir(), worker)
		git("worktree", "add", "--quiet", "-b", worker, tree)
		both.Go(func() {
			code, out := p.shift(a, models[i], tree, "--item", "release:"+strings.TrimSpace(id), "--as", worker)
			if code != 0 || !strings.Contains(out, "done after 3 turns") || !strings.Contains(out, "the item is completed") {
				t.Errorf("%s: exit %d\n%s", a.name, code, tail(out))
			}
		})
	}
	both.Wait()
	if _, out := p.onward("-s", "release", "todo", "show", "--format", "plain"); strings.Count(out, "\tcompleted\t") != 2 {
		t.Errorf("the list:\n%s", out)
	}
	_, report := p.onward("-s", "release", "report")
	for _, a := range pair {
		if row := "| w-" + a.name + " | 1 | 0 | 0 |"; !strings.Contains(report, row) || !strings.Contains(report, git("rev-parse", "HEAD")[:12]) {
			t.Errorf("no row %q with the commit in\n%s", row, report)
		}
	}
}
