package native

import (
	"testing"

	"onward/internal/todo"
)

func TestAgentInTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, ""},
		{map[string]string{"PATH": "/bin", "CLAUDE_CONFIG_DIR": "/c"}, ""},
		{map[string]string{"CLAUDECODE": "1"}, "claude"},
		{map[string]string{"CLAUDECODE": ""}, ""},
		{map[string]string{"GEMINI_CLI": "0"}, ""},
		{map[string]string{"AGENT": "amp"}, "agent"},
		{map[string]string{"OPENCODE": "1", "AGENT": "1"}, "opencode"},
	} {
		got := Agent(func(name string) (string, bool) { v, ok := c.env[name]; return v, ok })
		if got != c.want {
			t.Errorf("%v: got %q, want %q", c.env, got, c.want)
		}
	}
}

func TestBy(t *testing.T) {
	for _, c := range []struct {
		name         string
		main, typed  bool
		conversation string
		agent        string
		want         string
	}{
		{"no sign of an agent", true, false, "", "", todo.ByUser},
		{"an agent's command", true, false, "", "claude", ""},
		{"a conversation's command", true, false, "a1", "", ""},
		{"typed in an agent", true, true, "a1", "claude", todo.ByUser},
		{"a sub-agent's list", false, true, "", "", ""},
	} {
		lookup := func(name string) (string, bool) { return c.agent, name == "AI_AGENT" }
		if got := By(c.main, c.typed, c.conversation, lookup); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
