package copilot

import "onward/internal/agents/settings"

var row = settings.Layout{
	Project: ".github", User: settings.UserFolder{Name: ".copilot", Variable: "COPILOT_HOME"}, File: "hooks/onward.json",
	Hooks: settings.Hooks{
		Version: "version",
		// It names the event only if the long names are used.
		Events: []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop", "ErrorOccurred", "SessionEnd"},
		Form: []settings.Member{
			{Name: "type", Text: "command"}, {Name: "bash", Kind: settings.CommandLine}, {Name: "powershell", Kind: settings.PowerShellCommand}, {Name: "timeoutSec", Kind: settings.TimeLimit},
		},
		Limit: settings.HookTimeout{Usual: "10", Stop: "600", Unit: "s"}, Stop: "Stop",
	},
	Needs: []string{
		"let the model keep the list without asking, because `copilot -p` cannot ask: --allow-tool 'shell(onward todo add:*),shell(onward todo start:*),shell(onward todo done:*),shell(onward pause:*)'",
		"run it with --trust-folder, or trust the folder once in a session: a project's hooks do not run elsewhere",
	},
}
