package cmd

import (
	"onward/internal/agents"
	"onward/internal/install"
)

// installable returns the agents whose hooks can be installed.
func installable() []install.Agent {
	var out []install.Agent
	for _, a := range agents.All() {
		if a.Settings != nil {
			out = append(out, install.Agent{Name: a.Name, Title: a.Title, Row: a.Settings})
		}
	}
	return out
}

// installNames returns what hooks can be installed for: agents, and git.
func installNames() []string { return install.Names(installable()) }
