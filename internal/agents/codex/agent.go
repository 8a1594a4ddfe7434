// Package codex has what onward knows about Codex.
package codex

import (
	"slices"

	"onward/internal/agents/agent"
)

// Agent is Codex.
var Agent = agent.Agent{
	Name: "codex", Title: "Codex", Hook: &protocol, Settings: &row, Tools: &tools,
	Kind: Kind, Formats: formats, Program: &program, FailureTexts: &texts,
	Versions:              []string{"0.150.0", "0.169.0"},
	Markers:               []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_CI"},
	OutlivesConversations: isServer,
	Client:                &agent.Client{Member: "sessionId", ReadsOnce: &agent.ToolsReadOnce{}},
}

// isServer recognises the servers of the desktop program and of other agents.
func isServer(args []string) bool {
	return slices.Contains(args, "app-server") || slices.Contains(args, "mcp-server")
}
