package llxprt

import (
	"path/filepath"

	"onward/internal/agents/settings"
)

var row = settings.Layout{
	Project: ".llxprt", Here: true, User: settings.UserFolder{Find: userFolder, Shown: "`~/.config/llxprt-code/…`, or `$LLXPRT_CONFIG_HOME`"}, File: "settings.json",
	Hooks: settings.Hooks{
		Reads:  settings.JSONDialect{Comments: true},
		Events: []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
		Named:  true, Grouped: true, Limit: settings.HookTimeout{Usual: "10000", Stop: "600000", Unit: "ms"},
		Grants: []settings.Grant{{Path: []string{"hooksConfig", "enabled"}, Value: "true", Needed: true, Need: "set hooksConfig.enabled to true; otherwise LLxprt Code runs no hook"}},
	},
	Servers: settings.MCPServers{List: "mcpServers", Form: `{"command":PROGRAM}`, Trust: `"trust":true`},
	Command: settings.CommandFile{File: "commands/todo.toml", Format: settings.TOML, Arguments: "{{args}}"},
	Trust:   "LLxprt Code runs a project's hooks in a trusted folder only, and warns of each that you have not trusted yet",
	Untried: true,
	Notes:   []string{"LLxprt Code continues by itself twice for each prompt, and no hook can keep it going after that: use a loop around onward check-continue"},
}

func userFolder(m settings.Machine) string {
	if own := m.Env("LLXPRT_CONFIG_HOME"); filepath.IsAbs(own) {
		return own
	}
	switch {
	case m.Windows():
		return filepath.Join(m.Roaming(), "llxprt-code", "Config")
	case m.System == "darwin":
		return filepath.Join(m.Home, "Library", "Preferences", "llxprt-code")
	}
	return filepath.Join(m.Config, "llxprt-code")
}
