package find

import (
	"os"
	"path/filepath"
	"testing"

	"onward/internal/agents"
	"onward/internal/supervise"
)

func TestSettingsThatAreSaved(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("prompt.md", []byte("Go on.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs("prompt.md") // which may not be below dir, where that has links
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, value, want string }{ // want is empty for an error
		{"max-attempts", "5", "5"},
		{"max-attempts", "no", ""},
		{"max-attempt", "5", ""},
		{"hook-timeout", "3s", ""}, // of the store
		{"prompt-template", "none", "none"},
		{"prompt-template", "prompt.md", here},
		{"prompt-template", "other.md", ""},
	} {
		got, err := CheckSavedSetting(c.key, c.value)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %s: got %q, %v, want %q", c.key, c.value, got, err, c.want)
		}
	}
}

func TestWhoChangesASetting(t *testing.T) {
	cleared.once.Do(func() {})
	for _, c := range []struct {
		name    string
		changed bool
		inShell string // the value of an agent's variable
		what    string
		refused bool
	}{
		{"a person", true, "", "set gate", false},
		{"an agent", true, "1", "set gate", true},
		{"an agent that changes nothing", false, "1", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range append(agents.MarkerVariables(), runAndGateVariables()...) {
				t.Setenv(name, "")
			}
			t.Setenv(supervise.RunVariable, c.inShell)
			if did, err := SettingChange("gate", "set gate", c.changed); did.What != c.what || (err != nil) != c.refused {
				t.Errorf("got %q, %v", did.What, err)
			}
		})
	}
}
