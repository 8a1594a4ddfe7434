package install

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUninstallKeepsUserGrants uninstalls from files that were changed since: what --allow added goes,
// and what the user had set before stays.
func TestUninstallKeepsUserGrants(t *testing.T) {
	for _, c := range []struct {
		name, agent, file string
		before, after     string
	}{
		{"nothing", "claude", ".claude/settings.json", "{}", `{"x":1}`},
		{"a permission", "claude", ".claude/settings.json", `{"permissions":{"allow":["Bash(ls)"]}}`, `{"permissions":{"allow":["Bash(ls)"]},"x":1}`},
		{"the same permission", "claude", ".claude/settings.json", `{"permissions":{"allow":["Bash(onward:*)"]}}`, `{"permissions":{"allow":["Bash(onward:*)"]},"x":1}`},
		{"the same switch", "claude", ".claude/settings.json", `{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"1"}}`, `{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"1"},"x":1}`},
		{"the switch off", "claude", ".claude/settings.json", `{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"0"}}`, `{"env":{"CLAUDE_CODE_ENABLE_TODO_TOOLS":"0"},"x":1}`},
		{"a setting of another kind", "gemini", ".gemini/settings.json", `{"tools":{"allowed":"all"}}`, `{"tools":{"allowed":"all"},"x":1}`},
		{"a member beside the switch", "qwen", ".qwen/settings.json", `{"tools":{"todoWrite":{"a":1}}}`, `{"tools":{"todoWrite":{"a":1}},"x":1}`},
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
			// A second install keeps in mind what the first one added.
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
