// Package llxprt has what onward knows about LLxprt Code.
package llxprt

import (
	"onward/internal/agents/agent"
)

// Agent is LLxprt Code.
var Agent = agent.Agent{
	Name: "llxprt", Title: "LLxprt Code", MadeFrom: "gemini", Hook: &protocol, Settings: &row, Tools: &tools, Files: &lists,
	Kind: Kind, Formats: formats,
	Versions: []string{"0.11"},
	Markers:  []string{"LLXPRT_CODE"},
}
