// Package acp has what onward knows about the Agent Client Protocol.
package acp

import "onward/internal/agents/agent"

// Agent is any agent that speaks the protocol.
var Agent = agent.Agent{
	Name: "acp", Title: "any with the Agent Client Protocol",
	Kind: Kind, Formats: formats,
}
