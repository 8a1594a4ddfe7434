package claude

import (
	"cmp"
	"path/filepath"

	"onward/internal/agents/settings"
)

var row = settings.Layout{
	Project: ".claude", Here: true, User: settings.UserFolder{Name: ".claude", Variable: "CLAUDE_CONFIG_DIR"}, File: "settings.json", Personal: "settings.local.json",
	Hooks: settings.Hooks{
		Reads: settings.JSONDialect{Mark: true},
		Events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
			"SubagentStart", "SubagentStop", "TeammateIdle", "PreCompact", "PostCompact", "SessionEnd", "Notification", "PermissionRequest",
		},
		Grouped: true, Limit: settings.HookTimeout{Usual: "10", Stop: "600", Unit: "s"}, Stop: "Stop",
		Allow: settings.AllowList{
			Path: []string{"permissions", "allow"}, Before: "Bash(", After: ":*)", Former: "Bash(onward:*)",
			Need: "let the model keep the list without asking, because `claude -p` cannot ask: `onward hooks install claude --allow`",
		},
		Grants: []settings.Grant{
			{Path: []string{"permissions", "allow"}, Element: "mcp__onward", Server: true, Need: "let the model call the server's tools without asking, because `claude -p` cannot ask: `onward hooks install claude --mcp --allow`, or --allowedTools mcp__onward for one run"},
			{Path: []string{"env", todoSwitch}, Value: `"1"`, Instead: todoSwitch, Need: "turn on Claude Code's todo tools, which are off for newer models: `onward hooks install claude --allow`, or CLAUDE_CODE_ENABLE_TODO_TOOLS=1 for one run"},
		},
		Obstacles: []settings.Grant{{Path: []string{"disableAllHooks"}, Value: "true", Need: "disableAllHooks is true in these settings, so Claude Code runs no hook"}},
	},
	Servers: settings.MCPServers{
		File: "../.mcp.json", User: stateFile, List: "mcpServers", Form: `{"type":"stdio","command":PROGRAM,"args":[]}`,
		Notes: []string{"Claude Code asks once whether to use a server of the project's .mcp.json; with --scope user it does not ask"},
	},
	Noted: settings.PluginList{Files: []string{"settings.json", "settings.local.json"}, Table: "enabledPlugins"},
	Command: settings.CommandFile{
		File: "commands/todo.md", Arguments: "$ARGUMENTS",
		Head: "argument-hint: \"[show | add TEXT | done N | list | load N | clear]\"\nallowed-tools: Bash(ONWARD slash:*)\n",
	},
	Local: []string{"`claude --worktree` works in a folder of its own, where these settings are missing because they are not committed: use --scope user if you work in worktrees"},
	Trust: "Claude Code runs a project's hooks only after you have trusted the folder; it asks when you first open it",
}

// todoSwitch is the variable that switches the todo tools on.
const todoSwitch = "CLAUDE_CODE_ENABLE_TODO_TOOLS"

// stateFile is where Claude Code keeps the user's servers: next to the folder of its settings,
// unless a variable names that.
func stateFile(m settings.Machine) string {
	return filepath.Join(cmp.Or(m.Env("CLAUDE_CONFIG_DIR"), m.Home), ".claude.json")
}
