package agents

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"onward/internal/agents/hook"
)

// answers are all possible answers to an agent, with text that could break out of its place.
var answers = []hook.Answer{
	{},
	{Prompt: "go on\nwith \"it\" \x1b[2J \u2028", Decision: []byte("{\"action\":\"continue\"}\n")},
	{Notice: "onward: stopped after 3 attempts, 2 items open", Decision: []byte("{\"action\":\"stop\"}\n")},
	{Context: "the list\n1. [pending] x\n"},
	{Refused: "2 items\n"},
}

// keys lists the outermost members that an agent accepts, for agents that reject or misread others.
var keys = map[string][]string{
	"claude":   {"decision", "reason", "systemMessage", "hookSpecificOutput"},
	"codex":    {"decision", "reason", "systemMessage", "hookSpecificOutput"},
	"llxprt":   {"decision", "reason", "systemMessage", "hookSpecificOutput"},
	"gemini":   {"decision", "reason", "systemMessage", "hookSpecificOutput"},
	"qwen":     {"decision", "reason", "systemMessage", "hookSpecificOutput"},
	"cursor":   {"followup_message", "additional_context", "continue", "user_message"},
	"copilot":  {"decision", "reason", "additionalContext"},
	"vscode":   {"decision", "reason", "systemMessage", "hookSpecificOutput", "continue", "stopReason"},
	"grok":     {"decision", "reason", "hookSpecificOutput"},
	"opencode": {"action", "message", "context"},
	"pi":       {"action", "message", "context"},
	"generic":  {"action", "message", "context"},
}

// checkReply fails the test if a reply contains something that the agent would misunderstand.
func checkReply(t *testing.T, a *hook.Protocol, c hook.Call, answer hook.Answer, r hook.Reply) {
	t.Helper()
	bad := func(why string) {
		t.Errorf("%s, event %q, %+v: %s: %+v", a.Name, c.Event, answer, why, r)
	}
	if a.Name == "kimi" {
		said := answer.Prompt
		if c.Kind == hook.Prompt {
			said = cmp.Or(said, answer.Refused)
		}
		switch {
		case said != "" && (r.Code != 2 || r.Stderr != said || r.Stdout != ""):
			bad("it is neither sent on nor refused")
		case said == "" && (r.Code != 0 || r.Stderr != "" || r.Stdout != "" && c.Kind != hook.Start):
			bad("it is not let go in silence")
		}
		return
	}
	if r.Code != 0 || r.Stderr != "" {
		bad("only the answer on standard output counts")
	}
	if r.Stdout == "" {
		if a.GoAhead != "" || answer.Prompt != "" {
			bad("there is no answer")
		}
		return
	}
	if strings.Count(r.Stdout, "\n") != 1 || !strings.HasSuffix(r.Stdout, "\n") {
		bad("it is not one line")
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(r.Stdout), &object); err != nil {
		bad(err.Error())
		return
	}
	for key, v := range object {
		if known := keys[a.Name]; known != nil && !slices.Contains(known, key) {
			bad("it has the key " + key)
		}
		if key == "decision" && (v != "block" && v != "deny" || object["reason"] == "") {
			bad("the decision is not a block with a reason")
		}
		if key == "continue" && v != false {
			bad("continue:true is taken for going on")
		}
	}
	if (a.Name == "codex" || a.Name == "gemini") && object["stopReason"] != nil {
		bad("stopReason takes the place of the reason")
	}
	if nested, ok := object["hookSpecificOutput"].(map[string]any); ok && a.Name == "codex" && (c.Kind != hook.Start || len(nested) != 2) {
		bad("Codex knows additional context at a beginning only")
	}
}

// TestAnswersMatchAgentProtocol checks the reply to every agent for every kind of call and answer.
func TestAnswersMatchAgentProtocol(t *testing.T) {
	for _, a := range Hooks() {
		for kind, event := range []string{"Notification", "PostToolUse", "SessionStart", "UserPromptSubmit", "Stop", "SubagentStop"} {
			c := hook.Call{Kind: hook.Kind(kind), Event: event}
			for _, answer := range answers {
				if answer.Context != "" && c.Kind != hook.Start || answer.Prompt != "" && c.Kind != hook.Stop && c.Kind != hook.SubagentStop {
					continue
				}
				r := a.Write(c, answer)
				checkReply(t, a, c, answer, r)
				if answer.Prompt != "" && !a.ReadsDecision && !strings.Contains(r.Stdout+r.Stderr, "go on") {
					t.Errorf("%s: the prompt is not in %+v", a.Name, r)
				}
			}
			if r := a.Write(c, hook.Answer{}); r.Stdout != a.GoAhead || r.Code != 0 || r.Stderr != "" {
				t.Errorf("%s: nothing to say is %+v, not %q", a.Name, r, a.GoAhead)
			}
		}
	}
}

func TestHostCap(t *testing.T) {
	for _, c := range []struct {
		agent, value string
		want         int
	}{
		{"claude", "", 8},
		{"claude", "3", 3},
		{"claude", "0", 0},
		{"claude", "-1", 0},
		{"claude", "many", 8},
		{"qwen", "20", 20},
		{"qwen", "0", 8},
		{"copilot", "1", 8},
		{"vscode", "1", 8},
		{"cursor", "1", 5},
		{"kimi", "5", 1},
		{"codex", "5", 0},
		{"gemini", "5", 0},
		{"opencode", "5", 0},
		{"generic", "5", 0},
	} {
		if got := Hook(c.agent).BlockLimit(func(string) string { return c.value }); got != c.want {
			t.Errorf("%s with %q: got %d, want %d", c.agent, c.value, got, c.want)
		}
	}
	if Hook("nosuch") != nil {
		t.Error("an agent that is not in the table was found")
	}
}

// seeds are events of all agents, and inputs that nearly are events.
var seeds = []string{
	`{"session_id":"s","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"x\nONWARD-PAUSE: y","background_tasks":[{"id":1,"type":[],"status":{}}]}`,
	`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"a","status":"done"},{},null,7]},"tool_response":{"error":{}}}`,
	`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"TaskUpdate","tool_input":{"taskId":"1","status":"deleted","addBlocks":["2"]},"tool_response":"Updated task #1"}`,
	`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"update_plan","tool_input":"{\"plan\":[{\"step\":\"a\"}]}"}`,
	`{"session_id":"s","hook_event_name":"StopFailure","error":{"a":1},"error_details":"429"}`,
	`{"session_id":"s","hook_event_name":"AfterTool","tool_name":"tracker_create_task","tool_input":{"title":"t"},"tool_response":{"llmContent":"Created task 1: t"}}`,
	`{"conversation_id":"s","hook_event_name":"stop","status":"aborted","workspace_roots":[1]}`,
	`{"sessionId":"s","stopReason":"end_turn"}`,
	`{"type":"session.error","properties":{"sessionID":"s","error":{"name":"APIError","data":{"statusCode":1e99}}}}`,
	`{"type":"chat.message","sessionID":"s","parts":[{"type":"text","text":"/todo"},3]}`,
	`{"event":"turn-end","session_id":"s","tool_calls":-1,"status":"gone","retry_after_ms":1e30}`,
	`{"event":"pause","session_id":"s","reason":""}`,
	`{"event":"todos","session_id":"s","todos":"x","can_write":1}`,
	"\xef\xbb\xbf{}", `{"a":"\ud800","a":1}`, `{"session_id":"` + "\xff" + `"}`, `[]`, `{`, ``, `{"x":{"x":{"x":[[[[1]]]]}}}`,
}

// FuzzHook sends random input to the hook of every agent. It must not panic, and must always reply in the agent's format.
func FuzzHook(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, a := range Hooks() {
			a.ExitsAfterTurn(func() []byte { return data })
			c, err := a.Read(data, Tools(), FailureTexts())
			if err != nil {
				continue
			}
			for _, answer := range answers {
				if answer.Context != "" && c.Kind != hook.Start || answer.Prompt != "" && c.Kind != hook.Stop && c.Kind != hook.SubagentStop {
					continue
				}
				checkReply(t, a, c, answer, a.Write(c, answer))
			}
		}
	})
}
