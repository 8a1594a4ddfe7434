package install

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

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
		hooks, err := pluginHooks(agent)
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

// pluginHooks returns the hooks of an agent's plugin: those that an install writes, with onward found on PATH.
func pluginHooks(agent Agent) ([]byte, error) {
	o := Options{Agent: agent.Name, Agents: []Agent{agent}, Program: "onward", Context: true, plugin: true}
	hooks, err := o.hooks()
	if err != nil {
		return nil, err
	}
	// If onward is missing, the first hook of a conversation says so, and the others are silent.
	start, _ := o.command(agent.Name, agent.Hooks.Code, true, "")
	first, err := jsontext.AppendQuote(nil, "if command -v onward >/dev/null; then "+start+"; else echo '{\"systemMessage\":\""+absent+"\"}'; fi")
	hooks = bytes.Replace(hooks, []byte(`"`+start+`"`), first, 1)
	return bytes.ReplaceAll(hooks, []byte(`"onward hook `), []byte(`"command -v onward >/dev/null && onward hook `)), err
}

// hooks returns a settings file that contains nothing but the hooks.
func (o Options) hooks() ([]byte, error) {
	r, err := o.find()
	if err != nil {
		return nil, err
	}
	return r.file(o).put(nil, nil)
}
