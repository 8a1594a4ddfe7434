// Package vscode has what onward knows about VS Code.
package vscode

import (
	"onward/internal/agents/agent"
)

// Agent is VS Code.
var Agent = agent.Agent{
	Name: "vscode", Title: "VS Code", Command: "code", Hook: &protocol, Settings: &row, Tools: &tools,
	RunsHooksOf:           []string{"claude", "copilot"},
	OutlivesConversations: func([]string) bool { return true },
}
