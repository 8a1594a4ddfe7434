package agents_test

import (
	"slices"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/agent"
)

// TestPrograms checks the command lines that start and resume each agent. A prompt that looks like a flag must not become one.
func TestPrograms(t *testing.T) {
	const prompt = "--yolo"
	for name, want := range map[string][3]string{
		"claude":   {"claude -p --output-format stream-json --verbose --w", "claude -p --output-format stream-json --verbose --w --resume c1", prompt},
		"codex":    {"codex exec --json -c tools.update_plan.enabled=true --w -", "codex exec --json -c tools.update_plan.enabled=true --w resume c1 -", prompt},
		"gemini":   {"gemini --output-format stream-json --allowed-tools write_todos --w", "gemini --output-format stream-json --allowed-tools write_todos --w --resume c1", prompt},
		"qwen":     {"qwen --output-format stream-json --w", "qwen --output-format stream-json --w --resume c1", prompt},
		"opencode": {"opencode run --format json --w", "opencode run --format json --w --session c1", prompt},
		"kimi":     {"kimi --output-format stream-json --w --prompt=--yolo", "kimi --output-format stream-json --w --session c1 --prompt=--yolo", ""},
		"copilot":  {"copilot --output-format json --w --prompt=--yolo", "copilot --output-format json --w --resume c1 --prompt=--yolo", ""},
		"pi":       {"pi --mode json --w", "pi --mode json --w --session c1", prompt},
		"grok":     {"grok --output-format streaming-messages-json --w --single=--yolo", "grok --output-format streaming-messages-json --w --resume c1 --single=--yolo", ""},
		"cline":    {"cline --json --w -- --yolo", "cline --json --w -- --yolo", ""}, // it cannot resume a conversation
	} {
		p, known := agents.ProgramOf(name)
		if !known {
			t.Errorf("%s is not known", name)
		}
		for i, conversation := range []string{"", "c1"} {
			argv, input := p.TurnArgs([]string{"--w"}, conversation, prompt)
			if got := strings.Join(argv, " "); got != want[i] || input != want[2] {
				t.Errorf("%s: %s < %q", name, got, input)
			}
		}
	}
	if n := len(agents.Programs()); n != 10 {
		t.Errorf("%d programs", n)
	}
}

func TestGenericProgram(t *testing.T) {
	for _, c := range []struct {
		words, argv []string
		input       string
	}{
		{[]string{"a", "{prompt}"}, []string{"a", "do it"}, ""},
		{[]string{"a", "-m", "say: {prompt}!"}, []string{"a", "-m", "say: do it!"}, ""},
		{[]string{"a", "b"}, []string{"a", "b"}, "do it"},
		{[]string{"{prompt}"}, []string{"{prompt}"}, "do it"}, // the prompt must not become the program
	} {
		p := agent.GenericProgram(c.words)
		if argv, input := p.TurnArgs(nil, "", "do it"); !slices.Equal(argv, c.argv) || input != c.input {
			t.Errorf("%q: %q < %q", c.words, argv, input)
		}
		if p.CanResume("c1") {
			t.Errorf("%q resumes", c.words)
		}
	}
}

func TestConversationThatBecomesAnArgument(t *testing.T) {
	p, _ := agents.ProgramOf("claude")
	for id, want := range map[string]bool{
		"": false, "a": true, "1826c283-cef6-4c2d-af07-ef66d23bde11": true, "ses_1.x": true,
		"-p": false, "--yolo": false, ".": false, "a b": false, "a/b": false, "é": false, "a\n": false,
		strings.Repeat("a", 128): true, strings.Repeat("a", 129): false,
	} {
		if p.CanResume(id) != want {
			t.Errorf("%q", id)
		}
	}
}
