package opencode

import (
	"cmp"
	_ "embed" // of the plugin
	"path/filepath"

	"onward/internal/agents/settings"
)

//go:embed plugin.js
var plugin string

// Opencode runs no commands of its own accord, so a small plugin does.
var row = settings.Layout{
	Project: ".opencode", User: settings.UserFolder{Find: userFolder, Shown: "`~/.config/opencode/…`, or `$OPENCODE_CONFIG_DIR`"},
	Hooks:   settings.Hooks{Reads: settings.JSONDialect{Comments: true, Commas: true}},
	Servers: settings.MCPServers{File: "opencode.json", List: "mcp", Form: `{"type":"local","command":[PROGRAM],"enabled":true}`},
	Command: settings.CommandFile{File: "commands/todo.md", Arguments: "$ARGUMENTS"},
	Plugin:  settings.Plugin{File: "plugins/onward.js", Text: &plugin, Limit: "600s", Package: `{"keywords":["opencode-plugin"]}`},
	Noted:   settings.PluginList{Files: []string{"opencode.json", "opencode.jsonc", "../opencode.json", "../opencode.jsonc"}, Table: "plugin"},
	Notes: []string{
		"restart opencode to load the plugin",
		"`opencode run` ends with the model's first stop, before a plugin can send it back to work; the terminal interface, `opencode serve` and `opencode web` continue",
	},
}

func userFolder(m settings.Machine) string {
	return cmp.Or(m.Env("OPENCODE_CONFIG_DIR"), filepath.Join(m.Config, "opencode"))
}
