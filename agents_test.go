package main

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/agent"
)

// TestTablesOfAgents holds the table of docs/agents.md that tells where hooks are against the registry.
// The table above it is generated.
func TestTablesOfAgents(t *testing.T) {
	text, err := os.ReadFile("docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range agents.All() {
		if a.Settings == nil {
			continue
		}
		row := fmt.Sprintf("\n| `%s`", a.Name)
		if a.Settings.Untried {
			row += ", experimental"
		}
		if row += " | " + projectFiles(a) + " | "; !strings.Contains(string(text), row) {
			t.Errorf("docs/agents.md lacks the row %s", row)
		}
	}
}

// projectFiles lists what an install writes into a project without further flags.
func projectFiles(a *agent.Agent) string {
	s := a.Settings
	if s.UserOnly {
		return "none"
	}
	names := []string{s.Plugin.File, s.File}
	for _, m := range s.More {
		names = append(names, m.File)
	}
	var files []string
	for _, name := range append(names, s.Command.File) {
		if name != "" {
			files = append(files, "`"+path.Join(s.Project, name)+"`")
		}
	}
	return strings.Join(files, ", ")
}
