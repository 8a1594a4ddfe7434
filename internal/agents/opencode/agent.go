// Package opencode has what onward knows about opencode.
package opencode

import (
	"slices"

	"onward/internal/agents/agent"
)

// Agent is opencode.
var Agent = agent.Agent{
	Name: "opencode", Title: "opencode", Hook: &protocol, Settings: &row, Tools: &tools,
	Kind: Kind, Formats: formats, Program: &program,
	Versions:              []string{"1.2", "1.17.19", "1.18.33"},
	Markers:               []string{"OPENCODE"},
	OutlivesConversations: isServer,
}

// isServer recognises everything but `opencode run`: the terminal interface is a client of a server too.
func isServer(args []string) bool { return !slices.Contains(args, "run") }
