package agents

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
		{map[string]string{"GEMINI_CLI": "1", "QWEN_CODE": "1"}, "qwen"},
		{map[string]string{"OPENCODE": "1", "AGENT": "1"}, "opencode"},
	} {
		got := RunningAgent(func(name string) (string, bool) { v, ok := c.env[name]; return v, ok })
		if got != c.want {
			t.Errorf("%v: got %q, want %q", c.env, got, c.want)
		}
	}
}

func TestProcessesThatOutliveConversations(t *testing.T) {
	for _, c := range []struct {
		agent string
		args  []string
		want  bool
	}{
		{"codex", []string{"codex", "exec", "go"}, false},
		{"codex", []string{"codex", "app-server"}, true},
		{"opencode", []string{"opencode", "run", "go"}, false},
		{"opencode", []string{"opencode", "serve"}, true},
		{"opencode", []string{"opencode"}, true},
		{"cursor", []string{"cursor"}, true},
		{"claude", []string{"claude"}, false},
		{"nosuch", nil, false},
	} {
		outlives := OutlivesConversations(c.agent)
		if got := outlives != nil && outlives(c.args); got != c.want {
			t.Errorf("%s: %q: %v", c.agent, c.args, got)
		}
	}
}
