package native

import "testing"

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
