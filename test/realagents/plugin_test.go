//go:build unix

package realagents

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plugins are the agents with a plugin or an extension in the checkout, with the commands that install, list and remove it.
var plugins = map[string]struct {
	install      [][]string
	list, remove []string
}{
	"claude": {[][]string{{"plugin", "marketplace", "add", "./"}, {"plugin", "install", "onward@onward"}}, []string{"plugin", "list"}, []string{"plugin", "uninstall", "onward@onward"}},
	"codex":  {[][]string{{"plugin", "marketplace", "add", "."}, {"plugin", "add", "onward@onward"}}, []string{"plugin", "list"}, []string{"plugin", "remove", "onward@onward"}},
	"gemini": {[][]string{{"extensions", "install", "./plugins/gemini", "--consent"}}, []string{"extensions", "list"}, []string{"extensions", "uninstall", "onward"}},
	"qwen":   {[][]string{{"extensions", "install", "./plugins/qwen", "--consent"}}, []string{"extensions", "list"}, []string{"extensions", "uninstall", "onward"}},
}

// plugin runs a command of an agent about plugins, in the checkout.
func (p place) plugin(a agent, m *model, args ...string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := p.command(ctx, a, m, args...)
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		p.t.Fatal(err)
	}
	command.Dir = root
	out, err := command.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", a.name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// plugged makes a place in which an agent has installed the plugin from the checkout.
func plugged(t *testing.T, a agent, m *model) place {
	t.Helper()
	p := newPlace(t)
	if a.prepare != nil {
		a.prepare(t, m, p.home, p.dir)
	}
	for _, args := range plugins[a.name].install {
		p.plugin(a, m, args...)
	}
	if out := p.plugin(a, m, plugins[a.name].list...); !strings.Contains(out, "onward") {
		t.Errorf("the plugin is not listed:\n%s", out)
	}
	return p
}

// TestPlugin installs the plugin from the checkout: its hooks keep the agent going, once for each turn even where the
// settings have hooks as well, and not at all once it is uninstalled.
func TestPlugin(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if plugins[a.name].install == nil {
			t.Skip("there is no plugin for it")
		}
		for name, prompts := range map[string]int{"alone": 3, "next to hooks in the settings": 3, "next to hooks in a subfolder's settings": 3, "uninstalled": 1} {
			t.Run(name, func(t *testing.T) {
				if a.name == "codex" && strings.Contains(name, "subfolder") {
					t.Skip("its settings are those of the project's root")
				}
				m := diligent(t, a)
				p := plugged(t, a, m)
				switch name {
				case "uninstalled":
					p.plugin(a, m, plugins[a.name].remove...)
				case "next to hooks in the settings":
					p.hook(a)
				case "next to hooks in a subfolder's settings":
					p = p.below(t)
					p.hook(a, "--here")
				}
				out := p.work(a, m, task)
				if began := m.began(); len(began) != prompts {
					t.Errorf("the model was spoken to %d times, want %d:\n%.2000s\n%s", len(began), prompts, strings.Join(began, "\n---\n"), tail(out))
				}
				if prompts == 1 {
					return
				}
				if done, total := p.counts(); done != 3 || total != 3 {
					t.Errorf("%d of %d items are completed\n%s", done, total, tail(out))
				}
			})
		}
	})
}

// below makes a subfolder of a project the place to work in.
func (p place) below(t *testing.T) place {
	t.Helper()
	for _, dir := range []string{filepath.Join(p.dir, ".git"), filepath.Join(p.dir, "sub")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.dir = filepath.Join(p.dir, "sub")
	return p
}

// TestPluginWithoutOnward leaves an agent alone on whose machine onward is missing, and Claude Code tells its user.
func TestPluginWithoutOnward(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if plugins[a.name].install == nil {
			t.Skip("there is no plugin for it")
		}
		m := diligent(t, a)
		p := plugged(t, a, m)
		if err := os.Remove(filepath.Join(p.path, "onward")); err != nil {
			t.Fatal(err)
		}
		out := p.work(a, m, task)
		if began := m.began(); len(began) != 1 {
			t.Errorf("the model was spoken to %d times\n%s", len(began), tail(out))
		}
		if a.name == "claude" && !strings.Contains(out, "run make install in its repository") {
			t.Errorf("nothing says that onward is missing:\n%s", tail(out))
		}
	})
}
