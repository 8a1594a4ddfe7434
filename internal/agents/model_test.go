package agents_test

import (
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/test/streamtest"
)

// TestModelOfATurn reads which model each agent's stream names, as it stands at the end of its last turn.
func TestModelOfATurn(t *testing.T) {
	for name, want := range map[string]string{
		"claude/stream-tasks.jsonl":     "claude-sonnet-4-5",
		"claude/stream-api-error.jsonl": "claude-sonnet-4-5", // not "<synthetic>", as the message of the error has it
		"gemini/stream-ok.jsonl":        "gemini-2.5-pro",
		"qwen/stream.jsonl":             "m",
		"llxprt/stream.jsonl":           "gpt-4.1",
		"grok/stream-refused.jsonl":     "mock",
		"copilot/stream.jsonl":          "gpt-5",
		"pi/stream-fails.jsonl":         "m",
		"cline/stream-ok.jsonl":         "m",
		"droid/exec.jsonl":              "claude-sonnet-4-5-20250929",
		"codex/exec-ok.jsonl":           "", // it names none
	} {
		if got := modelOfLastTurn(streamtest.Recording(t, name)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	long := strings.Replace(streamtest.Recording(t, "gemini/stream-ok.jsonl"), `"gemini-2.5-pro"`, `"`+strings.Repeat("x", 200)+`"`, 1)
	if got := modelOfLastTurn(long); got != "" {
		t.Errorf("a text of 200 bytes is taken for a name: %q", got)
	}
}

func modelOfLastTurn(input string) (model string) {
	r := agents.NewReader(strings.NewReader(input), stream.Options{})
	for {
		updates, err := r.Next()
		if err != nil {
			return model
		}
		for _, u := range updates {
			if u.Event.Type == continuation.TurnEnd {
				model = u.Model
			}
		}
	}
}
