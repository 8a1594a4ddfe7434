package hook

import (
	"testing"

	"onward/internal/session"
	"onward/internal/todo"
)

// seeds are events of all agents, and what is nearly one.
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

// FuzzHook sends anything to every agent. Nothing may panic, and the answer is always one that the agent takes.
func FuzzHook(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, a := range Agents() {
			c, err := a.Read(data)
			if err != nil {
				continue
			}
			for _, answer := range answers {
				if answer.Context != "" && c.Kind != Start || answer.Prompt != "" && c.Kind != Stop && c.Kind != SubagentStop {
					continue
				}
				checkReply(t, &a, c, answer, a.Write(c, answer))
			}
		}
	})
}

// FuzzLastMessage reads anything as the end of a conversation.
func FuzzLastMessage(f *testing.F) {
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":"a"}]}}` + "\n"))
	f.Add([]byte("{\n}\n\n{\"role\":\"user\",\"content\":\"x\"}"))
	f.Fuzz(func(t *testing.T, tail []byte) {
		if message, said := LastMessage(tail); said < 0 || said > len(tail) || message != "" && said == 0 {
			t.Fatalf("%q: %q, said at %d", tail, message, said)
		}
		ReachesTo(tail, "2026")
		codexExec(tail)
	})
}

// listOf returns a saved document with a list.
func listOf(items ...todo.Item) *session.Document {
	return &session.Document{Schema: session.Schema, Rev: 1, Session: "demo", Agent: session.Primary, Todos: session.Todos{Active: true, Items: items}}
}
