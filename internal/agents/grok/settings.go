package grok

import "onward/internal/agents/settings"

var row = settings.Layout{
	Project: ".grok", User: settings.UserFolder{Name: ".grok", Variable: "GROK_HOME"}, File: "hooks/onward.json",
	Hooks: settings.Hooks{
		Events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure", "StopCancelled",
			"PreCompact", "PostCompact", "SessionEnd", "Notification",
		},
		Grouped: true, Limit: settings.HookTimeout{Usual: "10", Stop: "600", Unit: "s"}, Stop: "Stop",
	},
	Local: []string{"Grok Build reads a project's hooks only in a git repository: use --scope user in any other folder"},
	Trust: "Grok Build runs a project's hooks only in a folder that you have trusted (/hooks-trust, or --trust)",
}
