// Package qwen has what onward knows about Qwen Code.
package qwen

import (
	"onward/internal/agents/agent"
)

// Agent is Qwen Code.
var Agent = agent.Agent{
	Name: "qwen", Title: "Qwen Code", MadeFrom: "gemini", Hook: &protocol, Settings: &row, Tools: &tools, Files: &lists,
	Kind: Kind, Formats: formats, Program: &program,
	Versions: []string{"0.5", "0.15.10", "0.24.4"},
	Markers:  []string{"QWEN_CODE"},
	Client:   &agent.Client{Conversation: "QWEN_CODE_SESSION_ID", ReadsOnce: &agent.ToolsReadOnce{}},
}
