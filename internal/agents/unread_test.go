package agents_test

import (
	"strings"
	"testing"

	"onward/test/streamtest"
)

// TestRecordingsAreKnown says that each room knows all that its agent's own program has written so far.
func TestRecordingsAreKnown(t *testing.T) {
	for _, name := range streamtest.Recordings {
		if played := streamtest.Play(t, streamtest.Recording(t, name)); strings.Contains(played, "does not know") {
			t.Errorf("%s:\n%s", name, played)
		}
	}
}

// TestUnreadLines names what is not known, of the agent that sent it.
func TestUnreadLines(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"a subtype", streamtest.ClaudeInit + `{"type":"system","subtype":"x_y","session_id":"s"}`, "Claude Code 2.1 sent 1 kind of lines that this version of onward does not know: system/x_y (1 time)"},
		{"another session's", streamtest.ClaudeInit + `{"type":"x","session_id":"t"}`, ""},
		{"a line that names no session, where all do", streamtest.ClaudeInit + `{"type":"x"}`, ""},
		{"text in the place of a name", streamtest.CodexRun + "\n" + `{"type":"x y"}`, ""},
		{"a type", streamtest.CodexRun + "\n" + `{"type":"turn.paused"}`, "Codex sent 1 kind of lines that this version of onward does not know: turn.paused (1 time)"},
		{"an item", streamtest.CodexRun + "\n" + `{"type":"item.started","item":{"id":"i","type":"dream"}}` + "\n" + `{"type":"item.started","item":{"id":"i","type":"dream"}}`, "Codex sent 1 kind of lines that this version of onward does not know: item.started/dream (2 times)"},
		{"a member", `{"type":"init","timestamp":"","session_id":"g","model":"m"}` + "\n" + `{"type":"message","timestamp":"","role":"user","content":"hi","plan":{}}`, "Gemini CLI sent 1 kind of lines that this version of onward does not know: message/plan (1 time)"},
		{"a member of another agent's", streamtest.CodexRun + "\n" + `{"type":"turn.completed","usage":{},"phase":"x"}`, "Codex sent 1 kind of lines that this version of onward does not know: turn.completed/phase (1 time)"},
		{"more than are named", streamtest.CodexRun + "\n" + many(30), "Codex sent 20 kinds of lines"},
	} {
		played := streamtest.Play(t, c.input)
		if c.want == "" && strings.Contains(played, "does not know") || !strings.Contains(played, c.want) {
			t.Errorf("%s:\n%s", c.name, played)
		}
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`{"type":"turn.` + strings.Repeat("x", i+1) + `"}` + "\n")
	}
	return b.String()
}
