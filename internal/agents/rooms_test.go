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

// patterns match the names of agents whose names are also English words, or parts of such words.
var patterns = map[string]string{
	"acp":    `\bACP\b|"acp"|agents/acp\b|Agent Client Protocol`,
	"cline":  `\b[Cc]line`,
	"cursor": `\bCursor\b|"cursor"|cursor-agent|cursor/|agents/cursor\b|\.cursor/`,
	"droid":  `\b[Dd]roid`,
	"pi":     `\bPi\b|"pi"|agents/pi\b|\.pi/`,
	"vscode": `(?i)vscode|vs code`,
}

// elsewhere contains the folders that may name an agent although they are neither its own nor the registry, each with the reason.
var elsewhere = map[string]map[string]string{
	"copilot": {"internal/agents/vscode": "the makers of both called the folder of the user's hooks so"},
}

// declared returns a pattern for the code by which a room refers to the named agent, which is allowed: the import of that
// agent's room, the uses of the import, and the two fields of agent.Agent that refer to another agent. Such code contains no
// knowledge of the other agent, and architecture_test.go checks which rooms import another one.
func declared(name string) *regexp.Regexp {
	return regexp.MustCompile(`"onward/internal/agents/` + name + `"|\b` + name + `\.[A-Z]\w*|MadeFrom: +"` + name + `"|RunsHooksOf: .*`)
}

// TestAnAgentIsNamedInItsRoom fails if a Go file outside its room names an agent: everything that is known of one agent is in
// internal/agents/NAME, and agents.go lists it. Tests may name agents, since they try several of them.
func TestAnAgentIsNamedInItsRoom(t *testing.T) {
	rooms := map[string]map[string]string{} // by agent and folder: the first file that names the agent
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

// named returns a function that reports whether a text names an agent.
func named(a *agent.Agent) func(text string) bool {
	if pattern := patterns[a.Name]; pattern != "" {
		return regexp.MustCompile(pattern).MatchString
	}
	return func(text string) bool {
		lower := strings.ToLower(text)
		return strings.Contains(lower, a.Name) || strings.Contains(lower, strings.ToLower(a.Title))
	}
}

// sources returns the contents of the Go files of all programs by their paths, without tests and code that only tests use.
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
