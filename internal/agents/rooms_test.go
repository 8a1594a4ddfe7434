package agents

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named are the patterns of agents whose names are also words of English, or parts of them.
var named = map[string]string{
	"acp":    `\bACP\b|"acp"|agents/acp\b|Agent Client Protocol`,
	"cline":  `\b[Cc]line`,
	"cursor": `\bCursor\b|"cursor"|cursor-agent|cursor/|agents/cursor\b|\.cursor/`,
	"droid":  `\b[Dd]roid`,
	"pi":     `\bPi\b|"pi"|agents/pi\b|\.pi/`,
	"vscode": `(?i)vscode|vs code`,
}

// elsewhere are the rooms that name an agent though they are neither its own nor the registry, with the reason.
var elsewhere = map[string]map[string]string{
	"claude": {
		"internal/agents/qwen":    "its stream has the lines of Claude Code, and one reader serves both",
		"internal/agents/cursor":  "its lines look like those of Claude Code, which only the order of the registry tells apart",
		"internal/agents/copilot": "it reads the hooks in Claude Code's settings too",
		"internal/agents/vscode":  "it reads the hooks in Claude Code's settings too",
		"companion/onward-mcp":    "a module of its own, which links no agent: how a client names its conversation",
	},
	"codex":   {"companion/onward-mcp": "a module of its own, which links no agent: how a client names its conversation"},
	"copilot": {"internal/agents/vscode": "both read the same folder of hooks"},
	"gemini": {
		"internal/agents/qwen":   "it was made from Gemini CLI, whose marks it leaves",
		"internal/agents/llxprt": "it was made from Gemini CLI, and one reader serves both",
	},
	"pi":   {"release/packages": "the member of package.json that names an extension is called so"},
	"qwen": {"companion/onward-mcp": "a module of its own, which links no agent: how a client names its conversation"},
}

// TestAnAgentIsNamedInItsRoom fails if a Go file of another room names an agent: what is known of one agent is in
// internal/agents/NAME, and agents.go lists it. Tests, which try several agents side by side, may name them.
func TestAnAgentIsNamedInItsRoom(t *testing.T) {
	rooms := map[string]map[string]string{} // agent → room → the first file
	for path, text := range sources(t) {
		for _, a := range All() {
			room := filepath.ToSlash(filepath.Dir(path))
			if room == "internal/agents/"+a.Name || path == "internal/agents/agents.go" || !names(a.Name, a.Title, text) {
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

// names reports whether a text names an agent.
func names(name, title, text string) bool {
	if pattern := named[name]; pattern != "" {
		return regexp.MustCompile(pattern).MatchString(text)
	}
	lower := strings.ToLower(text)
	return strings.Contains(lower, name) || strings.Contains(lower, strings.ToLower(title))
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
