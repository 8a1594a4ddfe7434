package install

import (
	"os"

	"onward/internal/agents"
	"onward/internal/agents/settings"
)

// known are the agents of the registry whose hooks can be installed.
func known() []Agent {
	var out []Agent
	for _, a := range agents.All() {
		if a.Settings != nil {
			out = append(out, Agent{Name: a.Name, Title: a.Title, Layout: a.Settings})
		}
	}
	return out
}

// everyRow returns all rows of settings into which hooks can be installed.
func everyRow() []row { return Options{Agents: known()}.rows() }

// machine returns a machine with the given home and configuration folders.
func machine(home, config string) settings.Machine {
	return settings.Machine{
		Home: home, Config: config, Env: func(string) string { return "" }, System: "linux",
		IsFolder: func(path string) bool {
			info, err := os.Stat(path)
			return err == nil && info.IsDir()
		},
	}
}
