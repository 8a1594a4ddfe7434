package install

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onward/internal/agents/settings"
)

// TestUninstallKeepsUserGrants uninstalls from files that were changed since the install. The permissions that --allow added
// must be removed, and those that the user had set before must stay.
func TestUninstallKeepsUserGrants(t *testing.T) {
	for _, c := range []struct {
		name, agent, file string
		before, after     string
	}{
		{"nothing", "claude", ".claude/settings.local.json", "{}", `{"x":1}`},
		{"a permission", "claude", ".claude/settings.local.json", `{"permissions":{"allow":["Bash(ls)"]}}`, `{"permissions":{"allow":["Bash(ls)"]},"x":1}`},
		{"the same permission", "claude", ".claude/settings.local.json", `{"permissions":{"allow":["Bash(onward:*)"]}}`, `{"permissions":{"allow":["Bash(onward:*)"]},"x":1}`},
		{"the same switch", "claude", ".claude/settings.local.json", `{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"1"}}`, `{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"1"},"x":1}`},
		{"the switch off", "claude", ".claude/settings.local.json", `{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"0"}}`, `{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"0"},"x":1}`},
		{"a setting of another kind", "gemini", ".gemini/settings.json", `{"tools":{"allowed":"all"}}`, `{"tools":{"allowed":"all"},"x":1}`},
		{"another member in the object of the switch", "qwen", ".qwen/settings.json", `{"tools":{"todoWrite":{"a":1}}}`, `{"tools":{"todoWrite":{"a":1}},"x":1}`},
		{"a table", "codex", ".codex/config.toml", "[tools]\nweb_search = true\n", "[tools]\nweb_search = true\n# x\n"},
		{"the same table", "codex", ".codex/config.toml", "[tools.update_plan]\nenabled = true\n", "[tools.update_plan]\nenabled = true\n# x\n"},
		{"the table off", "codex", ".codex/config.toml", "tools.update_plan.enabled = false\n", "tools.update_plan.enabled = false\n# x\n"},
	} {
		t.Run(c.agent+", "+c.name, func(t *testing.T) {
			o := place(t, c.agent)
			o.Allow = true
			path := filepath.Join(o.Project, c.file)
			write(t, path, c.before, 0o644)
			if _, err := Install(o); err != nil {
				t.Fatal(err)
			}
			installed := read(t, path)
			changed := strings.TrimSuffix(installed, "}") + `,"x":1}`
			if strings.HasSuffix(c.file, ".toml") {
				changed = installed + "# x\n"
			}
			write(t, path, changed, 0o644)
			// A second install must not forget what the first one added.
			if _, err := Install(o); err != nil {
				t.Fatal(err)
			}
			if _, err := Uninstall(o); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != c.after {
				t.Errorf("%s\nwant\n%s\ninstalled\n%s", got, c.after, installed)
			}
		})
	}
}

// TestAllowListsHarmlessCommands checks that --allow does not allow any command that a model must not run without approval.
func TestAllowListsHarmlessCommands(t *testing.T) {
	for _, c := range []struct{ agent, file, element string }{
		{"claude", ".claude/settings.local.json", `"Bash(onward todo add:*)"`},
		{"gemini", ".gemini/settings.json", `"run_shell_command(onward todo add)"`},
		{"qwen", ".qwen/settings.json", `"Bash(onward todo add *)"`},
	} {
		o := place(t, c.agent)
		o.Allow = true
		if _, err := Install(o); err != nil {
			t.Fatal(err)
		}
		got := read(t, filepath.Join(o.Project, c.file))
		if !strings.Contains(got, c.element) {
			t.Errorf("%s: %s is missing in\n%s", c.agent, c.element, got)
		}
		for _, bad := range []string{"(onward:*)", "(onward *)", "(onward)", "onward set", "onward unset", "onward schedule", "onward tools", "onward slash", "onward todo export", "onward todo import", "onward check-continue"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s: the model may run %s", c.agent, bad)
			}
		}
	}
}

// TestInstallReplacesFormerGrants installs over the settings of an earlier version. Its permission for every command must be
// replaced by those for harmless ones, and uninstalling must restore the settings from before the first install.
func TestInstallReplacesFormerGrants(t *testing.T) {
	for _, c := range []struct{ agent, file, former string }{
		{"claude", ".claude/settings.local.json", "Bash(onward:*)"},
		{"gemini", ".gemini/settings.json", "run_shell_command(onward)"},
		{"qwen", ".qwen/settings.json", "Bash(onward *)"},
	} {
		for _, edited := range []string{"", " "} {
			o := place(t, c.agent)
			path := filepath.Join(o.Project, c.file)
			before := "{\n  \"permissions\": {\"allow\": [\"Bash(ls)\"]},\n  \"tools\": {\"allowed\": [\"x\"]}\n}\n"
			write(t, path, before, 0o644)
			installFormer(t, o, c.former)
			if now := read(t, path); !strings.Contains(now, c.former) || strings.Contains(now, "onward todo") {
				t.Fatalf("%s: an earlier version would have written\n%s", c.agent, now)
			}
			write(t, path, read(t, path)+edited, 0o644)
			r, err := Install(o) // without --allow, although the first install had it
			if err != nil {
				t.Fatal(err)
			}
			now := read(t, path)
			if strings.Contains(now, c.former) || !strings.Contains(now, "onward todo add") || strings.Contains(strings.Join(r.Needs, "\n"), "let") {
				t.Errorf("%s: after the upgrade, with the needs %q:\n%s", c.agent, r.Needs, now)
			}
			if _, err := Uninstall(o); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != before+edited {
				t.Errorf("%s, edited %q: uninstall leaves\n%s\nwant\n%s", c.agent, edited, got, before+edited)
			}
		}
	}
}

// TestFormerGrantOfTheUserStays checks that a permission for every command that onward did not write stays, and is reported.
func TestFormerGrantOfTheUserStays(t *testing.T) {
	o := place(t, "claude")
	path := filepath.Join(o.Project, ".claude/settings.local.json")
	before := `{"permissions":{"allow":["Bash(onward:*)"]}}`
	write(t, path, before, 0o644)
	r, err := Install(o)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(read(t, path), "Bash(onward:*)") || !slices.ContainsFunc(r.Needs, func(need string) bool { return strings.Contains(need, "take it out") }) {
		t.Errorf("%q\n%s", r.Needs, read(t, path))
	}
	if _, err := Uninstall(o); err != nil || read(t, path) != before {
		t.Errorf("%v\n%s", err, read(t, path))
	}
}

// installFormer installs as the earlier version did, which allowed every command by one element.
func installFormer(t *testing.T, o Options, former string) {
	t.Helper()
	p, _, err := prepare(&o)
	if err != nil {
		t.Fatal(err)
	}
	s := p.files[0].content.(*settingsFile)
	s.Grants = slices.DeleteFunc(s.Grants, func(g settings.Grant) bool { return g.Runs || g.Former })
	way := []string{"permissions", "allow"}
	if o.Agent == "gemini" {
		way = []string{"tools", "allowed"}
	}
	s.Grants = append(s.Grants, settings.Grant{Path: way, Element: former})
	s.o.Allow = true
	if err := p.run(o, &Report{}, false); err != nil {
		t.Fatal(err)
	}
}

// TestUninstallKeepsEmptyContainers uninstalls from files that were edited since the install. Containers that
// were empty before the install must be there again.
func TestUninstallKeepsEmptyContainers(t *testing.T) {
	for _, c := range []struct{ agent, file, before, edit string }{
		{"claude", ".claude/settings.local.json", `{"hooks":{"Stop":[]},"permissions":{"allow":[]},"env":{}}`, `,"x":1}`},
		{"claude", ".claude/settings.local.json", "{\n  \"hooks\": { },\n  \"permissions\": {\n  }\n}", `,"x":1}`},
		{"claude", ".mcp.json", `{"mcpServers":{}}`, `,"x":1}`},
		{"gemini", ".gemini/settings.json", `{"tools":{"allowed":[]},"mcpServers":{}}`, `,"x":1}`},
		{"codex", ".codex/config.toml", "[tools]\n\n[sandbox_workspace_write]\nwritable_roots = [ ]\n", "# x\n"},
		{"codex", ".codex/config.toml", "model = 1", "# x\n"},
		{"codex", ".codex/config.toml", "a = 1\r\nmodel = 1", "# x\r\n"},
	} {
		o := place(t, c.agent)
		o.Allow, o.MCP = true, c.file == ".mcp.json" || c.agent == "gemini"
		path := filepath.Join(o.Project, c.file)
		write(t, path, c.before, 0o644)
		if _, err := Install(o); err != nil {
			t.Fatal(err)
		}
		installed, want := read(t, path), c.edit+c.before
		edited := c.edit + installed
		if strings.HasSuffix(c.file, ".json") {
			at := strings.LastIndex(installed, "}")
			edited = strings.TrimRight(installed[:at], " \n") + c.edit
			want = strings.TrimRight(strings.TrimSuffix(c.before, "}"), " \n") + c.edit
		}
		write(t, path, edited, 0o644)
		if _, err := Uninstall(o); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != want {
			t.Errorf("%s\ngot  %q\nwant %q\ninstalled %q", c.file, got, want, installed)
		}
	}
}
