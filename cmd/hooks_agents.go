package cmd

import (
	"strings"

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

// installNames returns the names that hooks can be installed for: agents, and git.
func installNames() []string { return install.Names(installable()) }

// alternatives lists names, as in "a, b or c".
func alternatives(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
