package cursor

import "onward/internal/agents/settings"

var row = settings.Layout{
	Project: ".cursor", User: settings.UserFolder{Name: ".cursor"}, File: "hooks.json",
	Hooks: settings.Hooks{
		Reads: settings.JSONDialect{Comments: true, Commas: true, Mark: true}, Version: "version",
		// preCompact is left out, since nothing reports the end of a compaction.
		Events: []string{"sessionStart", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "stop", "subagentStop", "sessionEnd"},
		Form:   []settings.Member{{Name: "command", Kind: settings.CommandLine}},
	},
	Servers: settings.MCPServers{
		File: "mcp.json", List: "mcpServers", Form: `{"command":PROGRAM}`,
		Notes: []string{"switch the server on in Cursor's settings, under MCP"},
	},
	Command: settings.CommandFile{File: "commands/todo.md", Format: settings.Plain},
	Trust:   "Cursor runs a project's hooks in a trusted workspace only",
	Untried: true,
	Notes: []string{
		"Cursor's cloud agents run no stop hooks",
		"a gate does not run in Cursor's stop hook, whose time limit onward cannot set: a finished list is shown as unproven",
	},
}
