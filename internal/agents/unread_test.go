package agents_test

import (
	"strings"
	"testing"

	"onward/test/streamtest"
)

// TestRecordingsAreKnown checks that each room knows all kinds of lines in the recordings of its agent.
func TestRecordingsAreKnown(t *testing.T) {
	for _, name := range streamtest.Recordings {
		if played := streamtest.Play(t, streamtest.Recording(t, name)); strings.Contains(played, "does not know") {
			t.Errorf("%s:\n%s", name, played)
		}
	}
}

// TestUnreadLines checks that unknown kinds of lines are reported with the agent that sent them, and that members which are
// new in a line that is known make no noise: each version of an agent has new ones.
func TestUnreadLines(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"a subtype", streamtest.ClaudeInit + `{"type":"system","subtype":"x_y","session_id":"s"}`, "Claude Code 2.1 sent 1 kind of lines that this version of onward does not know: system/x_y (1 time)"},
		{"another session's", streamtest.ClaudeInit + `{"type":"x","session_id":"t"}`, ""},
		{"a line without a session, of an agent whose lines all have one", streamtest.ClaudeInit + `{"type":"x"}`, ""},
		{"text in the place of a name", streamtest.CodexRun + "\n" + `{"type":"x y"}`, ""},
		{"a type", streamtest.CodexRun + "\n" + `{"type":"turn.paused"}`, "Codex sent 1 kind of lines that this version of onward does not know: turn.paused (1 time)"},
		{"an item", streamtest.CodexRun + "\n" + `{"type":"item.started","item":{"id":"i","type":"dream"}}` + "\n" + `{"type":"item.started","item":{"id":"i","type":"dream"}}`, "Codex sent 1 kind of lines that this version of onward does not know: item.started/dream (2 times)"},
		{"a new member", `{"type":"init","timestamp":"","session_id":"g","model":"m"}` + "\n" + `{"type":"message","timestamp":"","role":"user","content":"hi","plan":{}}`, ""},
		{"a new member of another agent's", streamtest.CodexRun + "\n" + `{"type":"turn.completed","usage":{},"phase":"x"}`, ""},
		{"a new member of Claude Code's", streamtest.ClaudeInit + `{"type":"system","subtype":"status","session_id":"s","plan":1}`, ""},
		{"a new member of Qwen Code's", qwenInit + `{"type":"assistant","session_id":"q","parent_tool_use_id":null,"message":{"content":[]},"plan":1}`, ""},
		{"a subtype of Qwen Code's", qwenInit + `{"type":"system","subtype":"plan_shared","session_id":"q"}`, "Qwen Code 0.24.4 sent 1 kind of lines that this version of onward does not know: system/plan_shared (1 time)"},
		{"a new member, and a subtype, of Qwen Code's file", qwenRecord + "\n" + `{"type":"system","subtype":"plan_shared","sessionId":"q","systemPayload":{},"plan":1}`, "Qwen Code sent 1 kind of lines that this version of onward does not know: system/plan_shared (1 time)"},
		{"a new member of Pi's", piRun + `{"type":"agent_settled","aborted":false,"plan":[]}`, ""},
		{"a new member of Pi's message, and a role", piRun + `{"type":"message_end","message":{"role":"assistant","content":[],"plan":[]}}` + "\n" + `{"type":"message_end","message":{"role":"planner"}}`, "Pi sent 1 kind of lines that this version of onward does not know: message_end/planner (1 time)"},
		{"a new member of Cline's, and of its events", clineRun + `{"ts":"","type":"run_result","finishReason":"completed","iterations":1,"plan":[]}` + "\n" + `{"ts":"","type":"agent_event","event":{"type":"notice","plan":[]}}`, ""},
		{"a new member of Kimi's", kimiRun + `{"role":"assistant","content":"hi","plan":[]}`, ""},
		{"Kimi Code's lines for a retry and a goal", kimiRun + `{"role":"meta","type":"turn.step.retrying","failed_attempt":1,"status_code":429}` + "\n" + `{"type":"goal.summary","goalId":null,"status":null}`, ""},
		{"an event of Kimi's file", `{"type":"metadata","protocol_version":"1","created_at":1}` + "\n" + `{"type":"context.append_loop_event","event":{"type":"plan.changed"},"time":1}`, "Kimi CLI sent 1 kind of lines that this version of onward does not know: context.append_loop_event/plan.changed (1 time)"},
		{"a message of the older Kimi's file", `{"type":"metadata","protocol_version":"1"}` + "\n" + `{"timestamp":1,"message":{"type":"PlanShared","payload":{}}}`, "Kimi CLI sent 1 kind of lines that this version of onward does not know: message/PlanShared (1 time)"},
		{"more than are named", streamtest.CodexRun + "\n" + many(30), "Codex sent 20 kinds of lines"},
	} {
		played := streamtest.Play(t, c.input)
		if c.want == "" && strings.Contains(played, "does not know") || !strings.Contains(played, c.want) {
			t.Errorf("%s:\n%s", c.name, played)
		}
	}
}

// Lines with which sessions of the agents start.
const (
	qwenInit   = `{"type":"system","subtype":"init","session_id":"q","permission_mode":"default","qwen_code_version":"0.24.4"}` + "\n"
	qwenRecord = `{"type":"user","uuid":"u","sessionId":"q","message":{"role":"user","parts":[{"text":"hi"}]}}`
	piRun      = `{"type":"session","version":3,"id":"p","cwd":"/"}` + "\n"
	clineRun   = `{"ts":"","type":"run_start","providerId":"p","modelId":"m"}` + "\n"
	kimiRun    = `{"role":"meta","type":"system.version","version":"2.1.0"}` + "\n"
)

func many(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`{"type":"turn.` + strings.Repeat("x", i+1) + `"}` + "\n")
	}
	return b.String()
}
