package qwen

import "onward/internal/agents/settings"

var row = settings.Layout{
	Project: ".qwen", Here: true, User: settings.UserFolder{Name: ".qwen", Variable: "QWEN_HOME"}, File: "settings.json",
	Hooks: settings.Hooks{
		Reads: settings.JSONDialect{Comments: true, Mark: true},
		Events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
			"SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
		},
		Named: true, Grouped: true, Limit: settings.HookTimeout{Usual: "10000", Stop: "600000", Unit: "ms"}, Stop: "Stop", // old versions know no seconds, and new ones read 1000 and more so
		Allow: settings.AllowList{
			Path: []string{"permissions", "allow"}, Before: "Bash(", After: " *)", Former: "Bash(onward *)",
			Need: "let the model keep the list without asking, because `qwen -p` cannot ask: `onward hooks install qwen --allow`",
		},
		Grants: []settings.Grant{
			{Path: []string{"tools", "todoWrite", "enabled"}, Value: "true", Need: "switch Qwen Code's todo tool on, which is off by default: `onward hooks install qwen --allow`"},
		},
		Obstacles: []settings.Grant{{Path: []string{"disableAllHooks"}, Value: "true", Need: "disableAllHooks is true in these settings, so Qwen Code runs no hook"}},
	},
	Servers: settings.MCPServers{
		// Otherwise its model has to search for the tools first.
		List: "mcpServers", Form: `{"command":PROGRAM,"alwaysLoadTools":true}`, Trust: `"trust":true`,
	},
	Noted:   settings.PluginList{Files: []string{"extensions/onward/qwen-extension.json"}, UserOnly: true},
	Command: settings.CommandFile{File: "commands/todo.md", Arguments: "{{args}}"},
	Trust:   "Qwen Code loads a project's hooks only in a folder that you have trusted (/trust)",
	Needs:   []string{"set QWEN_CODE_STOP_HOOK_BLOCK_CAP=30 for lists of more than 7 items: Qwen Code ignores a hook that blocks 8 times in a row"},
}
