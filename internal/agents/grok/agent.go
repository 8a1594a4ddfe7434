// Package grok has what onward knows about Grok Build.
package grok

import "onward/internal/agents/agent"

// Agent is Grok Build.
var Agent = agent.Agent{
	Name: "grok", Title: "Grok Build", Kind: "grok-build", Formats: formats, Program: &program, Hook: &protocol, Settings: &row, Tools: &tools,
	Versions: []string{"1.0.41"},
	Markers:  []string{"GROK_AGENT"},
}
