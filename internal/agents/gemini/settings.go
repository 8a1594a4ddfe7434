package gemini

import (
	"cmp"
	"path/filepath"

	"onward/internal/agents/settings"
)

var row = settings.Layout{
	Project: ".gemini", Here: true, User: settings.UserFolder{Find: userFolder, Shown: "`~/.gemini/…`, under `$GEMINI_CLI_HOME`"}, File: "settings.json",
	Hooks: settings.Hooks{
		Reads: settings.JSONDialect{Comments: true},
		// PreCompress is left out: it comes before every request, whether anything is compressed or not,
		// and has no counterpart at the end.
		Events: []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
		Named:  true, Grouped: true, Limit: settings.HookTimeout{Usual: "10000", Stop: "600000", Unit: "ms"}, Stop: "AfterAgent",
		Allow: settings.AllowList{
			Path: []string{"tools", "allowed"}, Before: "run_shell_command(", After: ")", Former: "run_shell_command(onward)",
			Need: "let the model keep the list without asking, because `gemini -p` cannot ask: `onward hooks install gemini --allow`",
		},
		Obstacles: []settings.Grant{{Path: []string{"hooksConfig", "enabled"}, Value: "false", Need: "hooksConfig.enabled is false in these settings, so Gemini CLI runs no hook"}},
	},
	Servers: settings.MCPServers{List: "mcpServers", Form: `{"command":PROGRAM}`, Trust: `"trust":true`},
	Noted:   settings.PluginList{Files: []string{"extensions/onward/gemini-extension.json"}, UserOnly: true},
	Command: settings.CommandFile{File: "commands/todo.toml", Format: settings.TOML, Arguments: "{{args}}"},
	Trust:   "Gemini CLI runs a project's hooks in a trusted folder only, and warns once of each that is new or changed",
}

func userFolder(m settings.Machine) string {
	return filepath.Join(cmp.Or(m.Env("GEMINI_CLI_HOME"), m.Home), ".gemini")
}
