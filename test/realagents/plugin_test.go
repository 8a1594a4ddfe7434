//go:build unix

package realagents

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"onward/test/npm"
)

// plugins are the agents with a plugin, an extension or an npm package, and the commands that install, list and remove it.
// If an agent has no such commands, the test edits the settings file that lists the plugin.
var plugins = map[string]struct {
	install      [][]string
	list, remove []string
	packaged     bool   // it is an npm package
	noted        string // the settings file that lists it; empty if there are commands
}{
	"claude":   {[][]string{{"plugin", "marketplace", "add", "./"}, {"plugin", "install", "onward@onward"}}, []string{"plugin", "list"}, []string{"plugin", "uninstall", "onward@onward"}, false, ""},
	"codex":    {[][]string{{"plugin", "marketplace", "add", "."}, {"plugin", "add", "onward@onward"}}, []string{"plugin", "list"}, []string{"plugin", "remove", "onward@onward"}, false, ""},
	"gemini":   {[][]string{{"extensions", "install", "./plugins/gemini", "--consent"}}, []string{"extensions", "list"}, []string{"extensions", "uninstall", "onward"}, false, ""},
	"qwen":     {[][]string{{"extensions", "install", "./plugins/qwen", "--consent"}}, []string{"extensions", "list"}, []string{"extensions", "uninstall", "onward"}, false, ""},
	"opencode": {install: [][]string{{"plugin", "onward-opencode", "--global"}}, packaged: true, noted: ".config/opencode/opencode.jsonc"},
	"pi":       {[][]string{{"install", "npm:onward-pi"}}, []string{"list"}, []string{"remove", "npm:onward-pi"}, true, ""},
}

// packages builds the npm packages of the plugins as a release does, and returns their folder.
var packages = sync.OnceValues(func() (string, error) {
	dist, err := os.MkdirTemp("", "onward-packages")
	if err != nil {
		return "", err
	}
	for name, text := range map[string]string{
		"metadata.json":  asJSON(object{"version": "1.2.3"}),
		"artifacts.json": asJSON([]object{{"type": "Binary", "path": "dist/onward", "goos": "linux", "goarch": "amd64", "extra": object{"Binary": "onward"}}}),
		"onward":         "none of these tests starts it",
	} {
		if err := os.WriteFile(filepath.Join(dist, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "run", "./release/packages", dist)
	cmd.Dir, cmd.Stderr = filepath.Join("..", ".."), os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	made, err := filepath.Glob(filepath.Join(dist, "npm", "*"))
	for _, folder := range made {
		if err == nil && !plugins[strings.TrimPrefix(filepath.Base(folder), "onward-")].packaged {
			err = os.RemoveAll(folder) // the tests do not need it, and packing it would take longer than they do
		}
	}
	return filepath.Join(dist, "npm"), err
})

// fromRegistry returns the agent with a registry that has onward's npm packages, if the agent's plugin is one of these.
func (a agent) fromRegistry(t *testing.T) agent {
	t.Helper()
	if !plugins[a.name].packaged {
		return a
	}
	made, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	server := npm.Registry(t, made)
	t.Cleanup(server.Close)
	before := a.env
	a.env = func(m *model) []string { return append(before(m), "NPM_CONFIG_REGISTRY="+server.URL) }
	return a
}

// tapPath replaces the onward on PATH, which a plugin starts, by the tap.
func (p place) tapPath() {
	p.t.Helper()
	real := filepath.Join(p.home, "real")
	if err := os.Rename(p.path, real); err != nil {
		p.t.Fatal(err)
	}
	write(p.t, filepath.Join(p.path, "onward"), "#!/bin/sh\nexec "+filepath.Join(real, "onward-tap")+" \"$@\"\n")
}

// plugin runs an agent's command for plugins in the checkout.
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

// plugged returns a place in which the agent has installed the plugin from the checkout, or the package from a registry.
func plugged(t *testing.T, a agent, m *model) place {
	t.Helper()
	p := newPlace(t)
	if a.prepare != nil {
		a.prepare(t, m, p.home, p.dir)
	}
	for _, args := range plugins[a.name].install {
		p.plugin(a, m, args...)
	}
	out := ""
	if noted := plugins[a.name].noted; noted != "" {
		text, err := os.ReadFile(filepath.Join(p.home, filepath.FromSlash(noted)))
		if err != nil {
			t.Fatal(err)
		}
		out = string(text)
	} else {
		out = p.plugin(a, m, plugins[a.name].list...)
	}
	if !strings.Contains(out, "onward") {
		t.Errorf("the plugin is not listed:\n%s", out)
	}
	if _, said := p.onward("hooks", "status"); !regexp.MustCompile("(?m)^" + a.name + " +user +plugin ").MatchString(said) {
		t.Errorf("hooks status does not name the plugin:\n%s", said)
	}
	return p
}

// unplug removes the plugin as a user would.
func (p place) unplug(a agent, m *model) {
	p.t.Helper()
	if noted := plugins[a.name].noted; noted != "" {
		write(p.t, filepath.Join(p.home, filepath.FromSlash(noted)), "{}\n")
		return
	}
	p.plugin(a, m, plugins[a.name].remove...)
}

// TestPlugin installs the plugin from the checkout. Its hooks must keep the agent going, with one prompt for each turn even if
// the settings contain hooks too, and must do nothing after it was uninstalled.
func TestPlugin(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if plugins[a.name].install == nil {
			t.Skip("there is no plugin for it")
		}
		a = a.fromRegistry(t)
		for name, prompts := range map[string]int{"alone": 3, "next to hooks in the settings": 3, "next to hooks in a subfolder's settings": 3, "uninstalled": 1} {
			t.Run(name, func(t *testing.T) {
				if slices.Contains([]string{"codex", "opencode", "pi"}, a.name) && strings.Contains(name, "subfolder") {
					t.Skip("its settings are those of the project's root")
				}
				a := a
				m := diligent(t, a)
				p := plugged(t, a, m)
				switch name {
				case "alone":
					p.tapPath()
				case "uninstalled":
					p.unplug(a, m)
					a.serve = nil // with a server, the test would wait for hooks, and there are none
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
				want := 3
				if name == "uninstalled" {
					want = 0
				}
				if done, total := p.counts(); done != want || total != want {
					t.Errorf("%d of %d items are completed, want %d\n%s", done, total, want, tail(out))
				}
			})
		}
	})
}

// below returns the place with a subfolder of the project as the working folder.
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

// TestPluginWithoutOnward runs the plugin on a machine without onward. The agent must work as usual. Claude Code and Pi
// report the missing program to their users.
func TestPluginWithoutOnward(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if plugins[a.name].install == nil {
			t.Skip("there is no plugin for it")
		}
		a = a.fromRegistry(t)
		a.serve = nil
		m := diligent(t, a)
		p := plugged(t, a, m)
		if err := os.Remove(filepath.Join(p.path, "onward")); err != nil {
			t.Fatal(err)
		}
		out := p.work(a, m, task)
		if began := m.began(); len(began) != 1 {
			t.Errorf("the model was spoken to %d times\n%s", len(began), tail(out))
		}
		if (a.name == "claude" || a.name == "pi") && !strings.Contains(out, "run make install in its repository") {
			t.Errorf("nothing says that onward is missing:\n%s", tail(out))
		}
	})
}

// TestTeamPlugin opens a project whose settings name the marketplace and enable the plugin, as docs/agents.md shows them,
// with the interactive program. After its user trusts the folder, the plugin must be installed and keep the agent going.
func TestTeamPlugin(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name != "claude" {
			t.Skip("a project cannot name its plugins")
		}
		page, err := os.ReadFile(filepath.Join("..", "..", "docs", "agents.md"))
		if err != nil {
			t.Fatal(err)
		}
		settings := regexp.MustCompile(`(?ms)^    \{\n.*?extraKnownMarketplaces.*?^    \}$`).FindString(string(page))
		root, err := filepath.Abs(filepath.Join("..", ".."))
		if err != nil {
			t.Fatal(err)
		}
		settings = regexp.MustCompile(`"https:[^"]+"`).ReplaceAllString(settings, asJSON("file://"+root))
		m := diligent(t, a)
		p := newPlace(t)
		write(t, filepath.Join(p.dir, ".claude", "settings.json"), settings)
		p.trust(a, m, filepath.Join(p.home, ".claude", "plugins", "cache", "onward", "onward", "*", "hooks", "hooks.json"))
		before := a.env
		a.env = func(m *model) []string { return append(before(m), "CLAUDE_CODE_SYNC_PLUGIN_INSTALL=1") }
		out := p.work(a, m, task)
		if began := m.began(); len(began) != 3 {
			t.Errorf("the model was spoken to %d times, want 3:\n%s\n%s", len(began), last(began), tail(out))
		}
	})
}

// trust opens the project in a terminal with Claude Code, which is set up as for an earlier user. It answers that the folder is
// trusted, and leaves the program as soon as a file exists.
func (p place) trust(a agent, m *model, file string) {
	p.t.Helper()
	write(p.t, filepath.Join(p.home, ".claude.json"), asJSON(object{
		"hasCompletedOnboarding": true, "theme": "dark", "customApiKeyResponses": object{"approved": []string{"fake"}},
	}))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := p.command(ctx, a, m, "--model", "claude-sonnet-4-5")
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "DISABLE_AUTOUPDATER=1")
	cmd.SysProcAttr = nil // the terminal starts a session of its own
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 40})
	if err != nil {
		p.t.Fatal(err)
	}
	written := make(chan string)
	defer func() {
		cancel()
		_ = cmd.Wait()
		master.Close()
		for range written { //nolint:revive // the loop ends when the reader does
		}
	}()
	go func() {
		defer close(written)
		for chunk := make([]byte, 4096); ; {
			n, err := master.Read(chunk)
			if err != nil {
				return
			}
			written <- string(chunk[:n])
		}
	}()
	chosen := regexp.MustCompile(`^(\x1b\[[0-9;]*[A-Za-z]|[0-9. ])*(Yes|No),`)
	for seen := ""; ; {
		select {
		case text, ok := <-written:
			if !ok {
				p.t.Fatalf("%s ended:\n%s", a.name, tail(seen))
			}
			seen += text
			continue
		case <-time.After(time.Second / 2): // nothing was printed for a while, so the screen is complete
		}
		if found, _ := filepath.Glob(file); len(found) > 0 {
			return
		}
		lines := strings.Split(seen, "❯") // the cursor of Claude Code's menus
		switch answer := chosen.FindStringSubmatch(lines[len(lines)-1]); {
		case answer == nil:
		case answer[2] == "Yes":
			_, _ = master.WriteString("\r")
			seen = ""
		default:
			_, _ = master.WriteString("\x1b[B")
		}
	}
}
