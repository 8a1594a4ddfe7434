// Package codex has what onward knows of Codex.
package codex

import "onward/internal/agents/agent"

// Agent is Codex.
var Agent = agent.Agent{
	Name: "codex", Title: "Codex", Hook: &protocol, Settings: &row,
}
