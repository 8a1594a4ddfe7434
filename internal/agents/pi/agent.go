// Package pi has what onward knows about Pi.
package pi

import (
	"onward/internal/agents/agent"
)

// Agent is Pi.
var Agent = agent.Agent{
	Name: "pi", Title: "Pi", Hook: &protocol, Settings: &row, Tools: &tools,
	Kind: Kind, Formats: formats, Program: &program,
	Versions: []string{"1.5.2"},
	Markers:  []string{"PI_CODING_AGENT"},
}
