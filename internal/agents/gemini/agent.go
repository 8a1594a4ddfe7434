// Package gemini has what onward knows about Gemini CLI.
package gemini

import (
	"onward/internal/agents/agent"
)

// Agent is Gemini CLI.
var Agent = agent.Agent{
	Name: "gemini", Title: "Gemini CLI", Hook: &protocol, Settings: &row, Tools: &tools, Files: &lists,
	Kind: Kind, Formats: formats, Program: &program, FailureTexts: &texts,
	Versions: []string{"0.52.0", "0.61.0"},
	Markers:  []string{"GEMINI_CLI"},
}
