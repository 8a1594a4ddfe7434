package install

import (
	"bytes"
	"path/filepath"
	"testing"

	"onward/test/golden"
)

// TestPluginHooks checks that the plugins and extensions have the same hooks as an install, except for the path of the program.
// -update writes them.
func TestPluginHooks(t *testing.T) {
	files := map[string]string{
		"claude": "onward/hooks/hooks.json", "codex": "onward/hooks/codex.json", "gemini": "gemini/hooks/hooks.json", "qwen": "qwen/hooks/hooks.json",
	}
	for _, agent := range known() {
		file, has := files[agent.Name]
		if !has {
			continue
		}
		hooks, err := PluginHooks(agent)
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, filepath.Join("..", "..", "plugins", filepath.FromSlash(file)), string(hooks))
		installed, err := Options{Agent: agent.Name, Agents: known(), Program: "/usr/bin/onward", Context: true}.hooks()
		if err != nil {
			t.Fatal(err)
		}
		events := []byte(`": [`)
		if a, b := bytes.Count(hooks, events), bytes.Count(installed, events); a != b {
			t.Errorf("%s: the plugin has %d arrays, and an install writes %d", agent.Name, a, b)
		}
	}
}
