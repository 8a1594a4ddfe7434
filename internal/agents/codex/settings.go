package codex

import "onward/internal/agents/settings"

var row = settings.Layout{
	Project: ".codex", Upward: true, User: settings.UserFolder{Name: ".codex", Variable: "CODEX_HOME"}, File: "hooks.json",
	Hooks: settings.Hooks{
		Events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStart", "SubagentStop",
			"PreCompact", "PostCompact", "Interrupt", "SessionEnd",
		},
		Grouped: true, Limit: settings.HookTimeout{Usual: "10", Stop: "600", Unit: "s"}, Stop: "Stop",
		Limits: []settings.EventTimeout{{Event: "Interrupt", Limit: "3"}, {Event: "SessionEnd", Limit: "3"}}, // Codex grants no more, and reports it at every start
	},
	Servers: settings.MCPServers{
		File: "config.toml", List: "mcp_servers", Form: "command",
		Notes: []string{"Codex starts a server with few variables of the environment: name ONWARD_STORE or ONWARD_SESSION in env_vars of [mcp_servers.onward] if you set them"},
	},
	Noted: settings.PluginList{Files: []string{"config.toml"}, Table: "plugins", UserOnly: true},
	// The store is made writable for the commands that a sandboxed model runs, and --allow switches the todo tool on.
	More: []settings.FurtherFile{{
		File: "config.toml", TOML: true,
		Grants: []settings.Grant{
			{Path: []string{"sandbox_workspace_write", "writable_roots"}, Store: true, Always: true},
			{Path: []string{"tools", "update_plan", "enabled"}, Value: "true", Need: "switch Codex's todo tool on: `onward hooks install codex --allow`, or -c tools.update_plan.enabled=true for one run"},
		},
	}},
	// It keeps a hash for each hook, under the path of the file and the place in it.
	Approval: settings.HookApproval{
		File: "config.toml", Table: []string{"hooks", "state"},
		Given: "given in Codex for this file; /hooks shows it, and a hook that changed since asks again",
		Asked: "Codex runs a hook only after you have trusted it: start codex, enter /hooks, and trust onward's",
	},
	Notes: []string{
		"to skip the trust check for one run: codex --dangerously-bypass-hook-trust",
		"the store is now among the folders that a sandboxed model may write (sandbox_workspace_write.writable_roots)",
	},
	Needs:   []string{"run `codex exec` with --sandbox workspace-write if its model keeps the list with `onward todo`: by default it may not write"},
	Changed: "the hooks changed, and Codex ignores a changed hook until you trust it again: start codex, enter /hooks",
}
