//go:build unix

package realagents

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plugin runs a command of Claude Code about plugins.
func (p place) plugin(a agent, m *model, args ...string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := p.command(ctx, a, m, append([]string{"plugin"}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("claude plugin %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestClaudePlugin installs the plugin from the checkout: its hooks keep the agent going, once for each turn even where
// the settings have hooks as well, and not at all once it is uninstalled.
func TestClaudePlugin(t *testing.T) {
	if noPrograms != "" {
		t.Skip(noPrograms)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	a := claude()
	for name, how := range map[string]struct {
		prepare   func(p place, m *model)
		prompts   int
		completed int
	}{
		"plugin":                       {func(p place, m *model) {}, 3, 3},
		"beside hooks in the settings": {func(p place, m *model) { p.hook(a) }, 3, 3},
		"uninstalled":                  {func(p place, m *model) { p.plugin(a, m, "uninstall", "onward@onward") }, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := diligent(t, a)
			p := newPlace(t)
			p.plugin(a, m, "marketplace", "add", root)
			p.plugin(a, m, "install", "onward@onward")
			if out := p.plugin(a, m, "list"); !strings.Contains(out, "onward@onward") {
				t.Errorf("the plugin is not listed:\n%s", out)
			}
			how.prepare(p, m)
			out := p.work(a, m, task)
			if began := m.began(); len(began) != how.prompts {
				t.Errorf("the model was spoken to %d times, want %d:\n%.2000s\n%s", len(began), how.prompts, strings.Join(began, "\n---\n"), tail(out))
			}
			if how.completed == 0 {
				return
			}
			if done, total := p.counts(); done != how.completed || total != 3 {
				t.Errorf("%d of %d items are completed\n%s", done, total, tail(out))
			}
		})
	}
}

// TestClaudePluginWithoutOnward keeps an agent on whose machine onward is missing at work, and tells its user.
func TestClaudePluginWithoutOnward(t *testing.T) {
	if noPrograms != "" {
		t.Skip(noPrograms)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	a := claude()
	m := diligent(t, a)
	p := newPlace(t)
	p.plugin(a, m, "marketplace", "add", root)
	p.plugin(a, m, "install", "onward@onward")
	if err := os.Remove(filepath.Join(p.path, "onward")); err != nil {
		t.Fatal(err)
	}
	out := p.work(a, m, task)
	if began := m.began(); len(began) != 1 {
		t.Errorf("the model was spoken to %d times\n%s", len(began), tail(out))
	}
	if !strings.Contains(out, "run make install in its repository") {
		t.Errorf("nothing says that onward is missing:\n%s", tail(out))
	}
}
