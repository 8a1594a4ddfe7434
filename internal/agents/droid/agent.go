// Package droid has what onward knows of Factory Droid.
package droid

import "onward/internal/agents/agent"

// Agent is Factory Droid.
var Agent = agent.Agent{
	Name: "droid", Title: "Factory Droid",
	Kind: Kind, Formats: formats,
}
