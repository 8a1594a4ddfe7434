// Package droid has what onward knows about Factory Droid.
package droid

import "onward/internal/agents/agent"

// Agent is Factory Droid.
var Agent = agent.Agent{
	Name: "droid", Title: "Factory Droid", Tools: &tools,
	Kind: Kind, Formats: formats,
}
