package agents

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"onward/internal/agents/agent"
)

// patterns are those of agents whose names are also words of English, or parts of them.
var patterns = map[string]string{
	"acp":    `\bACP\b|"acp"|agents/acp\b|Agent Client Protocol`,
	"cline":  `\b[Cc]line`,
	"cursor": `\bCursor\b|"cursor"|cursor-agent|cursor/|agents/cursor\b|\.cursor/`,
	"droid":  `\b[Dd]roid`,
	"pi":     `\bPi\b|"pi"|agents/pi\b|\.pi/`,
	"vscode": `(?i)vscode|vs code`,
}

// elsewhere are the rooms that name an agent though they are neither its own nor the registry, with the reason.
var elsewhere = map[string]map[string]string{
	"copilot": {"internal/agents/vscode": "the makers of both called the folder of the user's hooks so"},
}

// declared returns what a room says of its kin in code, which does not count: the import of the other room with what is used
// of it, and the two fields of agent.Agent that refer to another agent. A reader looks for that where it is, and
// architecture_test.go holds which rooms import another one. What is known of an agent is not there, and sentences are not.
func declared(name string) *regexp.Regexp {
	return regexp.MustCompile(`"onward/internal/agents/` + name + `"|\b` + name + `\.[A-Z]\w*|MadeFrom: +"` + name + `"|RunsHooksOf: .*`)
}

// TestAnAgentIsNamedInItsRoom fails if a Go file of another room names an agent: what is known of one agent is in
// internal/agents/NAME, and agents.go lists it. Tests, which try several agents side by side, may name them.
func TestAnAgentIsNamedInItsRoom(t *testing.T) {
	rooms := map[string]map[string]string{} // agent → room → the first file
	files := sources(t)
	for _, a := range All() {
		named, declared := named(a), declared(a.Name)
		for path, text := range files {
			room := filepath.ToSlash(filepath.Dir(path))
			if room == "internal/agents/"+a.Name || path == "internal/agents/agents.go" || !named(text) ||
				!named(declared.ReplaceAllString(text, "")) {
				continue
			}
			if rooms[a.Name] == nil {
				rooms[a.Name] = map[string]string{}
			}
			rooms[a.Name][room] = path
		}
	}
	for agent, list := range rooms {
		for room, file := range list {
			if elsewhere[agent][room] == "" {
				t.Errorf("%s names %s: move what is known of the agent into internal/agents/%s, or speak of an agent", file, agent, agent)
			}
		}
	}
	for agent, list := range elsewhere {
		for room := range list {
			if rooms[agent][room] == "" {
				t.Errorf("%s does not name %s any more: delete the exception", room, agent)
			}
		}
	}
}

// named returns what reports whether a text names an agent.
func named(a *agent.Agent) func(text string) bool {
	if pattern := patterns[a.Name]; pattern != "" {
		return regexp.MustCompile(pattern).MatchString
	}
	return func(text string) bool {
		lower := strings.ToLower(text)
		return strings.Contains(lower, a.Name) || strings.Contains(lower, strings.ToLower(a.Title))
	}
}

// sources returns the Go files of all programs by their paths, without tests and what only tests use.
func sources(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	root := os.DirFS(filepath.Join("..", ".."))
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (name == "testdata" || path == "test" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			text, err := fs.ReadFile(root, path)
			out[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
