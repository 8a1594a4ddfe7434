// Package cursor has what onward knows about Cursor.
package cursor

import (
	"onward/internal/agents/agent"
)

// Agent is Cursor.
var Agent = agent.Agent{
	Name: "cursor", Title: "Cursor", Command: "cursor-agent", Hook: &protocol, Settings: &row, Tools: &tools,
	Kind: Kind, Formats: formats,
	Markers:               []string{"CURSOR_AGENT"},
	OutlivesConversations: func([]string) bool { return true },
}
