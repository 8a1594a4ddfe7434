package vscode

import (
	"path/filepath"

	"onward/internal/agents/settings"
)

var row = settings.Layout{
	Project: ".github", User: settings.UserFolder{Name: ".copilot"}, File: "hooks/onward-vscode.json",
	Hooks: settings.Hooks{
		Reads:  settings.JSONDialect{Comments: true, Commas: true, Mark: true},
		Events: []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop"},
		Limit:  settings.HookTimeout{Usual: "10", Stop: "600", Unit: "s"}, Stop: "Stop",
	},
	Servers: settings.MCPServers{
		File: "../.vscode/mcp.json", User: serversFile, List: "servers", Form: `{"type":"stdio","command":PROGRAM}`,
		Notes: []string{"VS Code asks once whether you trust the server"},
	},
	Untried: true,
}

// serversFile is where VS Code keeps the user's servers.
func serversFile(m settings.Machine) string {
	base := m.Config
	switch {
	case m.Windows():
		base = m.Roaming()
	case m.System == "darwin":
		base = filepath.Join(m.Home, "Library", "Application Support")
	}
	return filepath.Join(base, "Code", "User", "mcp.json")
}
