// Package kimi has what onward knows about Kimi CLI.
package kimi

import (
	"onward/internal/agents/agent"
)

// Agent is Kimi CLI.
var Agent = agent.Agent{
	Name: "kimi", Title: "Kimi CLI", Hook: &protocol, Settings: &row, Tools: &tools,
	Kind: Kind, Formats: formats, Program: &program,
	Versions: []string{"2.1.0"},
	Markers:  []string{"KIMI_CLI"},
}
