package agents

import (
	"cmp"
	"go/scanner"
	"go/token"
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

// TestAnAgentIsNamedInItsRoom fails if the code of a Go file outside of the rooms of agents names one: everything that is known of an
// agent is in internal/agents/NAME, and agents.go lists it. Comments and tests may name agents.
func TestAnAgentIsNamedInItsRoom(t *testing.T) {
	rooms := map[string]bool{}
	for _, a := range All() {
		rooms["internal/agents/"+a.Name] = true
	}
	for path, text := range sources(t) {
		if path == "internal/agents/agents.go" || rooms[filepath.ToSlash(filepath.Dir(path))] {
			continue
		}
		for _, a := range All() {
			if named(a)(text) {
				t.Errorf("%s names %s: move what is known of the agent into internal/agents/%s, or speak of an agent", path, a.Name, a.Name)
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

// sources returns the code of the Go files of all programs by their paths, without comments, tests and code that only tests use.
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
			out[path] = code(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// code returns the tokens of a Go file, without its comments.
func code(text []byte) string {
	var file scanner.Scanner
	file.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	var out strings.Builder
	for {
		_, kind, literal := file.Scan()
		if kind == token.EOF {
			return out.String()
		}
		out.WriteString(cmp.Or(literal, kind.String()))
		out.WriteByte(' ')
	}
}
