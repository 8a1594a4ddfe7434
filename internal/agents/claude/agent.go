// Package claude has what onward knows about Claude Code.
package claude

import (
	"onward/internal/agents/agent"
)

// Agent is Claude Code.
var Agent = agent.Agent{
	Name: "claude", Title: "Claude Code", Hook: &protocol, Settings: &row, Tools: &tools, Files: &lists,
	Kind: Kind, Formats: formats, Program: &program, FailureTexts: &texts, TodoToolOn: todoToolOn,
	Versions: []string{"2.1.197", "2.1.330"},
	Markers:  []string{"CLAUDECODE"},
	Client: &agent.Client{
		Conversation: "CLAUDE_CODE_SESSION_ID", Project: "CLAUDE_PROJECT_DIR",
		ReadsOnce: &agent.ToolsReadOnce{Variable: "CLAUDE_CODE_ENTRYPOINT", Begins: "sdk"}, // where it runs for one prompt
	},
}
