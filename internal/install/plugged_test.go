package install

import (
	"path/filepath"
	"testing"
)

// TestPluginIsNoted checks that the plugin is found in the files that the agents' own programs write when they install it, and
// not in those of a user who disabled it.
func TestPluginIsNoted(t *testing.T) {
	for name, c := range map[string]struct {
		agent, file, text string
		scope             Scope
		want              bool
	}{
		"claude":                 {"claude", ".claude/settings.json", `{"enabledPlugins":{"onward@onward":true}}`, User, true},
		"claude, for a team":     {"claude", ".claude/settings.json", `{"enabledPlugins":{"other@team":true,"onward@team":true}}`, Shared, true},
		"claude, for oneself":    {"claude", ".claude/settings.local.json", `{"enabledPlugins":{"onward@team":true}}`, Project, true},
		"claude, switched off":   {"claude", ".claude/settings.json", `{"enabledPlugins":{"onward@onward":false}}`, User, false},
		"claude, another one":    {"claude", ".claude/settings.json", `{"enabledPlugins":{"onwards@onward":true}}`, User, false},
		"claude, unreadable":     {"claude", ".claude/settings.json", `{"enabledPlugins":`, User, false},
		"claude, of another day": {"claude", ".claude/settings.json", `{"enabledPlugins":["onward@onward"]}`, User, false},
		"codex":                  {"codex", ".codex/config.toml", "[marketplaces.onward]\nsource = \"/onward\"\n\n[plugins.\"onward@onward\"]\nenabled = true\n", User, true},
		"codex, switched off":    {"codex", ".codex/config.toml", "[plugins.\"onward@onward\"]\nenabled = false\n", User, false},
		"codex, another one":     {"codex", ".codex/config.toml", "[plugins.\"other@onward\"]\nenabled = true\n", User, false},
		"gemini":                 {"gemini", ".gemini/extensions/onward/gemini-extension.json", `{}`, User, true},
		"qwen":                   {"qwen", ".qwen/extensions/onward/qwen-extension.json", `{}`, User, true},
		"opencode":               {"opencode", ".config/opencode/opencode.jsonc", `{"plugin": ["other", "@team/onward-opencode@1.2.3"],}`, User, true},
		"opencode, with options": {"opencode", "opencode.json", `{"plugin":[["onward-opencode",{}]]}`, Project, true},
		"opencode, another one":  {"opencode", ".opencode/opencode.json", `{"plugin":["onward-opencode-themes","team/onward"]}`, Project, false},
		"pi":                     {"pi", ".pi/agent/settings.json", `{"packages":["npm:onward-pi"]}`, User, true},
		"pi, of a version":       {"pi", ".pi/settings.json", `{"packages":[{"source":"npm:@team/onward-pi@1.2.3"}]}`, Project, true},
		"pi, from a folder":      {"pi", ".pi/settings.json", `{"packages":["../dist/npm/onward-pi"]}`, Project, true},
		"pi, another one":        {"pi", ".pi/settings.json", `{"packages":["npm:onward-pic","onward@team"]}`, Project, false},
		"qwen, nothing":          {"qwen", ".qwen/extensions/other/qwen-extension.json", `{}`, User, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := place(t, c.agent)
			o.Scope = c.scope
			root := o.Home
			if c.scope != User {
				root = o.Project
			}
			path := filepath.Join(root, filepath.FromSlash(c.file))
			write(t, path, c.text, 0o644)
			r, _ := Status(o) // an unreadable file is reported, and counts as one without the plugin
			if got := r.Plugin == path; got != c.want {
				t.Errorf("the plugin is in %q", r.Plugin)
			}
			for _, o.Scope = range Scopes(c.agent, o.Agents) {
				if r, _ := Status(o); o.Scope != c.scope && r.Plugin != "" {
					t.Errorf("%s has it as well, in %s", o.Scope, r.Plugin)
				}
			}
		})
	}
}
