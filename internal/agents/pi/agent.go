// Package pi has what onward knows of Pi.
package pi

import (
	"onward/internal/agents/agent"
)

// Agent is Pi.
var Agent = agent.Agent{
	Name: "pi", Title: "Pi", Hook: &protocol, Settings: &row, Tools: &tools,
	Kind: Kind, Formats: formats, Program: &program,
	Markers: []string{"PI_CODING_AGENT"},
}
