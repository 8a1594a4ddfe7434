// Package copilot has what onward knows about GitHub Copilot CLI.
package copilot

import (
	"onward/internal/agents/agent"
)

// Agent is GitHub Copilot CLI.
var Agent = agent.Agent{
	Name: "copilot", Title: "GitHub Copilot CLI", Hook: &protocol, Settings: &row, Tools: &tools,
	RunsHooksOf: []string{"claude", "vscode"},
	Kind:        Kind, Formats: formats, Program: &program,
	Versions: []string{"1.0.102"},
	Markers:  []string{"COPILOT_CLI"},
}
