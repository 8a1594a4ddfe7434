// Package opencode has what onward knows of opencode.
package opencode

import "onward/internal/agents/agent"

// Agent is opencode.
var Agent = agent.Agent{
	Name: "opencode", Title: "opencode", Hook: &protocol, Settings: &row,
}
