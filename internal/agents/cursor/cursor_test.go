package cursor_test

import (
	"strings"
	"testing"

	"onward/internal/agents/cursor"
	"onward/internal/agents/stream"
	"onward/internal/native"
	"onward/internal/todo"
	"onward/test/streamtest"
)

func TestCursorTraps(t *testing.T) {
	const (
		init = `{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/p","session_id":"c","model":"Auto","permissionMode":"default"}` + "\n"
		user = `{"type":"user","message":{"role":"user","content":[{"type":"text","text":"ONWARD-PAUSE: not me"}]},"session_id":"c"}` + "\n"
		done = `{"type":"result","subtype":"success","duration_ms":7,"is_error":false,"result":"bye","session_id":"c"}` + "\n"
	)
	for _, c := range []streamtest.Trap{
		{"together with a session of Claude Code, each line belongs to the agent of its session", streamtest.ClaudeInit + streamtest.Use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) +
			init + streamtest.Answer("t1", "ok", "null") + user + streamtest.ClaudeDone + done, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
3: turn-start cursor/c turn=1
4: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
6: turn-start claude-code/s turn=2 inferred=turn
6: turn-end claude-code/s turn=2 done tools=0
7: turn-end cursor/c turn=1 done tools=0
`},
		{"a call counts when it has completed; its result has the list", init + user + `
{"type":"tool_call","subtype":"started","call_id":"w1","tool_call":{"updateTodosToolCall":{"args":{"todos":[{"id":"1","content":"A","status":"TODO_STATUS_PENDING"}],"merge":false}},"toolCallId":"w1","startedAtMs":"1"},"session_id":"c","timestamp_ms":1500}
{"type":"tool_call","subtype":"completed","call_id":"w1","tool_call":{"toolCallId":"w1","updateTodosToolCall":{"args":{"todos":[{"id":"1","content":"A","status":"TODO_STATUS_PENDING"}]},"result":{"success":{"todos":[{"id":"1","content":"A","status":"TODO_STATUS_IN_PROGRESS","dependencies":["0"]},{"id":"2","content":"B","status":"TODO_STATUS_CANCELLED"},{"id":"3","content":"C","status":"TODO_STATUS_UNSPECIFIED"},{"id":"4","content":"D","status":"completed"},{"id":"5","status":"pending"}]}}}},"session_id":"c","timestamp_ms":1600}
` + done, `
1: turn-start cursor/c turn=1
4: todos cursor/c turn=1 at=1970-01-01T00:00:01.600Z todo=w1 source=cursor {#1 in_progress "A" native=TODO_STATUS_IN_PROGRESS after 0, #2 cancelled "B" native=TODO_STATUS_CANCELLED, #4 completed "D"}
5: turn-end cursor/c turn=1 done tools=0
warning cursor c: item 3 of a list is left out: its status is "TODO_STATUS_UNSPECIFIED"
warning cursor c: item 5 of a list is left out: bad argument: the text is empty
`},
		{"all forms of rejections; a call without a result is not accepted", init + `
{"type":"tool_call","subtype":"completed","call_id":"w1","tool_call":{"updateTodosToolCall":{"args":{"todos":[]},"result":{"error":{"message":"x"}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"w2","tool_call":{"todoToolCall":{"args":{"todos":[]},"result":{"rejected":{"reason":""}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"w3","tool_call":{"updateTodosToolCall":{"args":{"todos":[]},"result":{"failure":{}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"w4","tool_call":{"updateTodosToolCall":{"args":{"todos":[]}}},"session_id":"c"}
` + done, `
1: turn-start cursor/c turn=1
6: turn-end cursor/c turn=1 done tools=0
warning cursor c: updateTodosToolCall w1 was rejected by the agent
warning cursor c: todoToolCall w2 was rejected by the agent
warning cursor c: updateTodosToolCall w3 was rejected by the agent
warning cursor c: updateTodosToolCall w4 was called, but the stream does not show its result: not applied
`},
		{"a merge changes the items that it names", init + `
{"type":"tool_call","subtype":"completed","call_id":"w0","tool_call":{"updateTodosToolCall":{"args":{"merge":true,"todos":[{"id":"9","content":"new","status":"pending"}]},"result":{"success":true}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"w1","tool_call":{"todoToolCall":{"args":{"merge":false,"todos":[{"id":"1","content":"A","status":"pending"},{"id":"2","content":"B","status":"pending"}]},"result":{"success":{}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"w2","tool_call":{"function":{"name":"todo_write","args":{"merge":true,"todos":[{"id":"2","status":"completed"},{"id":"3","content":"C","status":"pending"}]},"result":{"success":{}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"w3","tool_call":{"updateTodosToolCall":{"args":{},"result":{"success":{}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"w4","tool_call":{"updateTodosToolCall":{"args":{},"result":{"success":{"todos":[]}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"w5","tool_call":{"updateTodosToolCall":{"args":{"merge":true},"result":{"success":true,"finalTodos":[{"id":"1","content":"A","status":"completed"}],"initialTodos":[],"wasMerge":true}}},"session_id":"c"}
` + done, `
1: turn-start cursor/c turn=1
2: todos cursor/c turn=1 todo=w0 inferred=items source=cursor {#9 pending "new"}
3: todos cursor/c turn=1 todo=w1 source=cursor {#1 pending "A", #2 pending "B"}
4: todos cursor/c turn=1 todo=w2 source=cursor {#1 pending "A", #2 completed "B", #3 pending "C"}
6: todos cursor/c turn=1 todo=w4 source=cursor {}
7: todos cursor/c turn=1 todo=w5 source=cursor {#1 completed "A"}
8: turn-end cursor/c turn=1 done tools=0
warning cursor c: "w3" was accepted, but holds no list
`},
		{"a run that continues a session starts with its list; that of another session is unknown", init + `
{"type":"tool_call","subtype":"completed","call_id":"w1","tool_call":{"updateTodosToolCall":{"args":{"todos":[{"id":"1","content":"A","status":"pending"}]},"result":{"success":{}}}},"session_id":"c"}
` + done + init + `
{"type":"tool_call","subtype":"completed","call_id":"w2","tool_call":{"updateTodosToolCall":{"args":{"merge":true,"todos":[{"id":"1","status":"completed"}]},"result":{"success":{}}}},"session_id":"c"}
` + done + `
{"type":"tool_call","subtype":"completed","call_id":"w3","tool_call":{"updateTodosToolCall":{"args":{"merge":true,"todos":[{"id":"1","status":"completed"}]},"result":{"success":{}}}},"session_id":"d"}
`, `
1: turn-start cursor/c turn=1
2: todos cursor/c turn=1 todo=w1 source=cursor {#1 pending "A"}
3: turn-end cursor/c turn=1 done tools=0
4: turn-start cursor/c turn=2
5: todos cursor/c turn=2 todo=w2 source=cursor {#1 completed "A"}
6: turn-end cursor/c turn=2 done tools=0
7: turn-start cursor/d turn=1 inferred=turn
0: turn-end cursor/d turn=1 cut_off tools=0 class=cut_off
warning cursor d: item 1 of a list is left out: bad argument: the text is empty
warning cursor d: no item of a list can be read: the list stays as it was
`},
		{"each call counts once; reading the list, texts and thoughts are not calls; the last message pauses", init + `
{"type":"thinking","subtype":"delta","text":"ONWARD-PAUSE: a thought","session_id":"c","timestamp_ms":1}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I look."}]},"session_id":"c"}
{"type":"tool_call","subtype":"started","call_id":"t1\nfc","tool_call":{"shellToolCall":{"args":{"command":"ls"}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"t1\nfc","tool_call":{"shellToolCall":{"args":{"command":"ls"},"result":{"failure":{"exitCode":1}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"t2","tool_call":{"readToolCall":{"args":{},"result":{"success":{"content":"{\"type\":\"result\"}"}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"t4","tool_call":{"getMcpToolsToolCall":{"args":{"toolName":"TodoWrite"},"result":{"success":{}}}},"session_id":"c"}
{"type":"tool_call","subtype":"completed","call_id":"t3","tool_call":{"readTodosToolCall":{"args":{},"result":{"success":{"todos":[]}}}},"session_id":"c"}
{"type":"result","subtype":"success","is_error":false,"result":"I look.Stuck.\nONWARD-PAUSE: no key","session_id":"c"}
`, `
1: turn-start cursor/c turn=1
9: pause cursor/c turn=1 "no key"
9: turn-end cursor/c turn=1 done tools=2
`},
		{"killed, resumed, failed, cancelled; a concurrent turn of another agent", init + user + init + `
{"type":"result","subtype":"error","is_error":true,"result":"Rate limit exceeded","session_id":"c"}
` + init + `
{"type":"result","subtype":"cancelled","is_error":true,"result":"","session_id":"c"}
` + init + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone + `
{"type":"tool_call","subtype":"started","call_id":"t1","tool_call":{"lsToolCall":{}},"session_id":"d"}
`, `
1: turn-start cursor/c turn=1
3: turn-end cursor/c turn=1 cut_off tools=0 class=cut_off
3: turn-start cursor/c turn=2
4: turn-end cursor/c turn=2 failed tools=0 class=rate_limit
5: turn-start cursor/c turn=3
6: turn-end cursor/c turn=3 aborted tools=0
7: turn-start cursor/c turn=4
8: turn-end cursor/c turn=4 cut_off tools=0 class=cut_off
8: turn-start claude-code/s turn=1
10: turn-end claude-code/s turn=1 done tools=0
11: turn-start cursor/d turn=1 inferred=turn
0: turn-end cursor/d turn=1 cut_off tools=1 class=cut_off
`},
	} {
		c.Run(t)
	}
}

// TestCursorContinuesSavedList applies the calls of a stream to a list that was saved before it.
func TestCursorContinuesSavedList(t *testing.T) {
	input := `{"type":"tool_call","subtype":"completed","call_id":"w","tool_call":{"updateTodosToolCall":{"args":{"merge":true,"todos":[{"id":"1","status":"completed"}]},"result":{"success":{}}}},"session_id":"c"}`
	got := streamtest.UpdatesOnly(streamtest.Play(t, input, func(o *stream.Options) {
		o.Saved = func(kind stream.Kind, session string) native.SavedList {
			if kind != cursor.Kind || session != "c" {
				t.Errorf("asked for %s %s", kind, session)
			}
			return native.SavedList{Items: []todo.Item{{ID: "1", Content: "A", Status: todo.Pending}, {ID: "2", Content: "B", Status: todo.Pending}}}
		}
	}))
	if want := `todos cursor/c turn=1 todo=w source=cursor {#1 completed "A", #2 pending "B"}`; !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestCursorTodosTraps(t *testing.T) {
	streamtest.Trap{"a change of a list that is not known, an empty list, none", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hm"}}}}
{"jsonrpc":"2.0","method":"cursor/update_todos","params":{"todos":[{"id":"1","status":"completed"},{"id":"2","content":"B","status":"TODO_STATUS_PENDING"}],"merge":true}}
{"jsonrpc":"2.0","method":"cursor/update_todos","params":{"todos":"none"}}
{"jsonrpc":"2.0","method":"cursor/update_todos","params":{"todos":[]}}
`, `
1: turn-start acp/s turn=1 inferred=turn
2: todos acp/s turn=1 todo=todos source=acp {#2 pending "B" native=TODO_STATUS_PENDING}
4: todos acp/s turn=1 todo=todos source=acp {}
0: turn-end acp/s turn=1 cut_off tools=0 class=cut_off
warning acp s: item 1 of a list is left out: bad argument: the text is empty
warning acp s: a plan holds no list
`}.Run(t)
}
