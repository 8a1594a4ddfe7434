package claude

import (
	"strings"
	"testing"

	"onward/internal/agents/hook"
)

// TestPromptIsContextWhereThatContinues checks which versions get the prompt as context, which they do not show as an error.
func TestPromptIsContextWhereThatContinues(t *testing.T) {
	for version, context := range map[string]bool{
		"2.1.163": true, "2.1.330": true, "2.2": true, "3.0.0": true,
		"2.1.162": false, "1.9.999": false, "": false, "2.1.x": false, "new": false,
	} {
		got := protocol.Write(hook.Call{Kind: hook.Stop, Event: "Stop", Version: version}, hook.Answer{Prompt: "go on"})
		if strings.Contains(got.Stdout, `"additionalContext":"go on"`) != context || strings.Contains(got.Stdout, `"decision":"block"`) == context {
			t.Errorf("%q: %s", version, got.Stdout)
		}
	}
	if got := protocol.Write(hook.Call{Kind: hook.SubagentStop, Event: "SubagentStop", Version: "2.1.330"}, hook.Answer{Prompt: "go on"}); !strings.Contains(got.Stdout, `"decision":"block"`) {
		t.Errorf("a sub-agent: %s", got.Stdout)
	}
}

// TestVersionInTheConversation checks that the version is that of the last line that has one.
func TestVersionInTheConversation(t *testing.T) {
	for tail, want := range map[string]string{
		`{"version":"2.1.1"}` + "\n" + `{"version":"2.1.2"}` + "\n" + `{"type":"mode"}` + "\n": "2.1.2",
		`ersion":"1"}` + "\n" + `{"version":"2 1\u001b"}`:                                      "2?1?",
		`{"text":"\"version\":\"9\""}`:                                                         "",
		"":                                                                                     "",
	} {
		if got := hook.VersionIn([]byte(tail)); got != want {
			t.Errorf("%q: %q", tail, got)
		}
	}
}
