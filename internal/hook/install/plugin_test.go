package install

import (
	"bytes"
	"path/filepath"
	"testing"

	"onward/test/golden"
)

// The plugin brings the hooks that an install writes, but for the path of the program: -update writes them.
func TestPluginHooks(t *testing.T) {
	hooks, err := PluginHooks("claude")
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join("..", "..", "..", "plugins", "onward", "hooks", "hooks.json"), string(hooks))
	installed, err := Options{Agent: "claude", Program: "/usr/bin/onward", Context: true}.hooks()
	if err != nil {
		t.Fatal(err)
	}
	events := []byte(`": [`)
	if a, b := bytes.Count(hooks, events), bytes.Count(installed, events); a != b {
		t.Errorf("the plugin has %d arrays, and an install writes %d", a, b)
	}
}
