// Package claude has what onward knows of Claude Code.
package claude

import (
	"onward/internal/agents/agent"
)

// Agent is Claude Code.
var Agent = agent.Agent{
	Name: "claude", Title: "Claude Code", Hook: &protocol, Settings: &row, Tools: &tools, Files: &lists,
	Kind: Kind, Formats: formats, Program: &program, TodoToolOn: TodoToolOn,
	Versions: []string{"2.1.197", "2.1.330"},
	Markers:  []string{"CLAUDECODE"},
}
