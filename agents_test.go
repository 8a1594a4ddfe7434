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

// TestTablesOfAgents holds the tables of docs/agents.md against the registry: what onward does for each agent, and
// where its hooks are.
func TestTablesOfAgents(t *testing.T) {
	text, err := os.ReadFile("docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	does := map[string][]string{} // the cells of the first table by title
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) == 4 {
			for title := range strings.SplitSeq(cells[0], ", ") {
				does[title] = cells[1:]
			}
		}
	}
	for _, a := range agents.All() {
		cells := does[a.Title]
		if cells == nil {
			t.Errorf("docs/agents.md: the first table lacks %s", a.Title)
			continue
		}
		for i, has := range []bool{len(a.Formats) > 0, a.Hook != nil, a.Program != nil} {
			if (cells[i] != "no") != has {
				t.Errorf("docs/agents.md: the first table says %q of %s, in column %d", cells[i], a.Title, i+2)
			}
		}
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
