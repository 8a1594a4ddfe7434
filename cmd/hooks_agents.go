package cmd

import (
	"path"
	"strings"

	"onward/internal/agents"
	"onward/internal/install"
)

// installable returns the agents whose hooks can be installed.
func installable() []install.Agent {
	var out []install.Agent
	for _, a := range agents.All() {
		if a.Settings == nil {
			continue
		}
		it := install.Agent{Name: a.Name, Title: a.Title, Layout: a.Settings}
		for _, name := range a.RunsHooksOf {
			other := agents.Find(name).Settings
			file := other.File
			if other.Personal != "" {
				file = "" // it runs those of both
			}
			it.AlsoRuns = append(it.AlsoRuns, path.Join(other.Project, file))
		}
		out = append(out, it)
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
