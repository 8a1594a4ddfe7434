package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onward/internal/agents/agent"
	"onward/internal/native"
)

// shared are the folders of internal/agents that are not an agent's room.
var shared = []string{"agent", "files", "hook", "settings", "stream", "testdata"}

// TestNoAgentIsHalfThere fails if an agent lacks a part that one of its other parts needs.
func TestNoAgentIsHalfThere(t *testing.T) {
	seen := map[string]string{} // the agent of each marker
	for _, a := range All() {
		bad := func(format string, args ...any) {
			t.Helper()
			t.Errorf(a.Name+": "+format, args...)
		}
		if _, err := os.Stat(a.Name); err != nil || a.Title == "" {
			bad("it has no folder of its name, or no title")
		}
		if Find(a.Name) != a {
			bad("another agent has its name")
		}
		if a.MadeFrom != "" && Find(a.MadeFrom) == nil {
			bad("it is made from %s, which is not an agent", a.MadeFrom)
		}
		for _, name := range a.RunsHooksOf {
			if other := Find(name); other == nil || other.Settings == nil || other.Settings.File == "" {
				bad("it runs the hooks of %s, which is not an agent with a file of hooks", name)
			}
		}
		for _, m := range a.Markers {
			if seen[m] != "" {
				bad("%s also has the marker %s", seen[m], m)
			}
			seen[m] = a.Name
		}
		if a.FailureTexts != nil {
			phrases := slices.Concat(a.FailureTexts.Status, a.FailureTexts.Resets)
			for _, row := range a.FailureTexts.Classes {
				phrases = append(phrases, row.Phrases...)
			}
			for _, phrase := range phrases {
				if phrase != strings.ToLower(phrase) {
					bad("its text %q is compared with what is in lower case", phrase)
				}
			}
		}
		if a.Files != nil && a.Files.Claims == nil {
			bad("nothing recognises its files")
		}
		checkHook(a, bad)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && Find(e.Name()) == nil && !slices.Contains(shared, e.Name()) {
			t.Errorf("the registry does not name %s", e.Name())
		}
	}
}

// checkHook compares an agent's hooks with the events that an install writes, with the tools of package native, and with the scripts.
func checkHook(a *agent.Agent, bad func(format string, args ...any)) {
	if (a.Hook == nil) != (a.Settings == nil) {
		bad("its hooks cannot be installed, or it has none to install")
	}
	if a.Hook == nil {
		return
	}
	p, s := a.Hook, a.Settings
	if p.Name != a.Name || p.Parse == nil || p.Render == nil {
		bad("its protocol has another name, or lacks a reader or a writer")
	}
	if s == nil {
		return
	}
	if p.Code != s.Hooks.Code {
		bad("its hooks end with code %d, and an install writes %d", p.Code, s.Hooks.Code)
	}
	if (s.File == "" || len(s.Hooks.Events) == 0) && s.Plugin.File == "" {
		bad("nothing would run its hooks")
	}
	if s.Hooks.Stop != "" && (!slices.Contains(s.Hooks.Events, s.Hooks.Stop) || s.Hooks.Limit.Stop == "") {
		bad("its stop hook is not installed, or has no time for a gate")
	}
	if (s.User.Find == nil) != (s.User.Shown == "") {
		bad("the manual cannot say where the user's settings are, or says it twice")
	}
	if !s.UserOnly && s.Project == "" {
		bad("its settings have no folder in a project")
	}
	if a.Tools == nil || len(a.Tools.Todo) == 0 {
		bad("no call of a todo tool can be recognised in its hooks")
	} else {
		for _, tool := range a.Tools.Todo {
			if found := native.ToolIn(Tools(), tool.Name); found == nil || found.Does != tool.Does {
				bad("its tool %s does something else in another agent", tool.Name)
			}
		}
	}
	for _, script := range []string{"hook_" + a.Name + "*.txtar", "hooks_" + a.Name + ".txtar"} {
		if found, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "script", script)); len(found) == 0 {
			bad("there is no script %s", strings.Replace(script, "*", "", 1))
		}
	}
}
