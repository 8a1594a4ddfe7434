package qwen_test

import (
	"strings"
	"testing"

	"onward/test/streamtest"
)

// qwenDone is the result of a turn. It has a duration, which the result of a sub-agent lacks.
const qwenDone = `{"type":"result","subtype":"success","session_id":"q","is_error":false,"duration_ms":5,"result":"bye"}` + "\n"

func TestQwenTraps(t *testing.T) {
	const (
		todoA  = `{"todos":[{"id":"1","content":"A","status":"pending"}]}`
		todoB  = `{"todos":[{"id":"1","content":"B","status":"pending"}]}`
		stored = `Todos have been modified successfully.\n\n<system-reminder>\nHere are the latest contents of your todo list:\n\n`
	)
	// lines of Claude Code with the id of this session
	use := func(id, name, input string) string {
		return strings.ReplaceAll(streamtest.Use(id, name, input), `"session_id":"s"`, `"session_id":"q"`)
	}
	answer := func(id, text string) string {
		return strings.ReplaceAll(streamtest.Answer(id, text, "null"), `"session_id":"s"`, `"session_id":"q"`)
	}
	fails := func(line string) string { return strings.Replace(line, `"}]}`, `","is_error":true}]}`, 1) }
	sub := func(line string) string {
		return strings.Replace(line, `"parent_tool_use_id":null`, `"parent_tool_use_id":"call/1"`, 1)
	}
	for _, c := range []streamtest.Trap{
		{"the list is the stored one, including what the call omitted; if it was cut, the list is the call's", streamtest.QwenInit +
			use("t1", "todo_write", todoA) + answer("t1", stored+`[{\"id\":\"1\",\"content\":\"A]\",\"status\":\"pending\",\"blockedBy\":[\"0\"]},{\"id\":2,\"content\":\"\",\"status\":\"pending\"},{\"content\":\"C\",\"status\":\"cancelled?\"}]. Continue on.`) +
			use("t2", "todo_write", todoB) + answer("t2", stored+`[{\"id\":\"1\",\"content\":\"A`) +
			use("t3", "todo_write", todoA) + answer("t3", "Todo list has been cleared.") +
			use("t4", "todo_write", `{"todos":[]}`) + answer("t4", "Todo list has been cleared.") +
			use("t5", "todo_write", `{}`) + answer("t5", "ok") + qwenDone, `
1: turn-start qwen-code/q turn=1
3: todos qwen-code/q turn=1 todo=t1 source=qwen {#1 pending "A]" after 0}
5: todos qwen-code/q turn=1 todo=t2 source=qwen {#1 pending "B"}
7: todos qwen-code/q turn=1 todo=t3 source=qwen {#1 pending "A"}
9: todos qwen-code/q turn=1 todo=t4 source=qwen {}
12: turn-end qwen-code/q turn=1 done tools=0
warning qwen q: item 2 of a list is left out: bad argument: the text is empty
warning qwen q: item 3 of a list is left out: its status is "cancelled?"
warning qwen q: "t5" was accepted, but holds no list
`},
		{"refusals do not count as lists, whatever is_error says", streamtest.QwenInit +
			use("t1", "todo_write", todoA) + fails(answer("t1", "Each todo must have a valid status")) +
			use("t2", "todo_write", todoA) + answer("t2", "Todo creation blocked: by a hook") +
			use("t3", "todo_write", todoA) + answer("t3", "Error writing todos: disk full") +
			use("t4", "todo_write", todoA) + answer("t4", "Failed to modify todos. An error occurred") +
			use("t5", "todo_write", todoA) + answer("t5", "Todo completion blocked: by a hook") + qwenDone, `
1: turn-start qwen-code/q turn=1
12: turn-end qwen-code/q turn=1 done tools=0
warning qwen q: todo_write t1 was rejected by the agent: "Each todo must have a valid status"
warning qwen q: todo_write t2 was rejected by the agent: "Todo creation blocked: by a hook"
warning qwen q: todo_write t3 was rejected by the agent: "Error writing todos: disk full"
warning qwen q: todo_write t4 was rejected by the agent: "Failed to modify todos. An error occurred"
warning qwen q: todo_write t5 was rejected by the agent: "Todo completion blocked: by a hook"
`},
		{"several blocks in one message; a call without a result; loading tools is not a call", streamtest.QwenInit + `
{"type":"assistant","session_id":"q","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use","id":"t1","name":"todo_write","input":{"todos":[{"id":"1","content":"A","status":"pending"}]}},{"type":"tool_use","id":"t2","name":"read_file","input":{}},{"type":"tool_use","id":"t3","name":"todo_write","input":{"todos":[]}},{"type":"tool_use","id":"t4","name":"tool_search","input":{}}]}}
{"type":"user","session_id":"q","parent_tool_use_id":null,"message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":"x"},{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"ok"}]}]}}
`, `
1: turn-start qwen-code/q turn=1
3: todos qwen-code/q turn=1 todo=t1 source=qwen {#1 pending "A"}
0: turn-end qwen-code/q turn=1 cut_off tools=1 class=cut_off
warning qwen q: todo_write t3 was called, but the stream does not show its result: not applied
`},
		{"a sub-agent has its own list and calls; its failure does not end the turn", streamtest.QwenInit + use("a1", "agent", `{}`) +
			sub(use("t1", "todo_write", todoA)) + sub(answer("t1", "ok")) + sub(use("t2", "read_file", `{}`)) + `
{"type":"result","subtype":"error_during_execution","session_id":"q","is_error":true,"duration_ms":0,"error":{"message":"400 sub fails"}}
` + use("t3", "todo_write", todoB) + answer("t3", "ok") + qwenDone, `
1: turn-start qwen-code/q turn=1
4: todos qwen-code/q+call-1-a542ecf9 parent=call/1 turn=1 todo=t1 source=qwen {#1 pending "A"}
8: todos qwen-code/q turn=1 todo=t3 source=qwen {#1 pending "B"}
9: turn-end qwen-code/q turn=1 done tools=1
`},
		{"failures, some of which are reported as success; a cancelled turn is an interrupt by the user, and a limit of the turn is neither", streamtest.QwenInit + `
{"type":"result","subtype":"success","session_id":"q","is_error":false,"duration_ms":5,"result":"[API Error: 429 Too Many]"}
` + streamtest.QwenInit + `
{"type":"result","subtype":"success","session_id":"q","is_error":false,"duration_ms":5,"result":"half a line\n[API Error: Connection error. (cause: fetch failed)]"}
` + streamtest.QwenInit + `
{"type":"result","subtype":"error_during_execution","session_id":"q","is_error":true,"duration_ms":5,"error":{"message":"[API Error: 401 Incorrect API key provided]"}}
` + streamtest.QwenInit + `
{"type":"result","subtype":"error_max_turns","session_id":"q","is_error":true,"duration_ms":5,"error":{"message":"Reached max session turns"}}
` + streamtest.QwenInit + `
{"type":"result","subtype":"error_during_execution","session_id":"q","is_error":true,"duration_ms":5,"error":{"message":"Operation cancelled."}}
` + streamtest.QwenInit + `
{"type":"result","subtype":"success","session_id":"q","is_error":false,"duration_ms":5,"result":"I saw an [API Error: 500] in the log."}
`, `
1: turn-start qwen-code/q turn=1
2: turn-end qwen-code/q turn=1 failed tools=0 class=rate_limit
3: turn-start qwen-code/q turn=2
4: turn-end qwen-code/q turn=2 failed tools=0 class=server
5: turn-start qwen-code/q turn=3
6: turn-end qwen-code/q turn=3 failed tools=0 class=auth
7: turn-start qwen-code/q turn=4
8: turn-end qwen-code/q turn=4 done tools=0
9: turn-start qwen-code/q turn=5
10: turn-end qwen-code/q turn=5 aborted tools=0
11: turn-start qwen-code/q turn=6
12: turn-end qwen-code/q turn=6 done tools=0
`},
		{"one init for several turns, as with an input stream; the last message pauses", streamtest.QwenInit + streamtest.QwenInit + use("t1", "read_file", `{}`) + qwenDone + use("t2", "todo_write", todoA) + answer("t2", "ok") + `
{"type":"system","subtype":"model_fallback","session_id":"q","data":{}}
{"type":"stream_event","session_id":"q","event":{"type":"message_stop"}}
{"type":"result","subtype":"success","session_id":"q","is_error":false,"duration_ms":5,"result":"Stop.\nONWARD-PAUSE: no key"}
`, `
1: turn-start qwen-code/q turn=1
4: turn-end qwen-code/q turn=1 done tools=1
5: turn-start qwen-code/q turn=2 inferred=turn
6: todos qwen-code/q turn=2 todo=t2 source=qwen {#1 pending "A"}
9: pause qwen-code/q turn=2 "no key"
9: turn-end qwen-code/q turn=2 done tools=0
`},
		{"a killed run, one that resumes it, and one of Claude Code at the same time", streamtest.QwenInit + use("t1", "todo_write", todoA) + streamtest.QwenInit + use("t2", "read_file", `{}`) + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone + `
{"type":"system","subtype":"init","session_id":"old","permission_mode":"yolo","tools":["todo_write"]}
`, `
1: turn-start qwen-code/q turn=1
3: turn-end qwen-code/q turn=1 cut_off tools=0 class=cut_off
3: turn-start qwen-code/q turn=2
5: turn-start claude-code/s turn=1
7: turn-end qwen-code/q turn=2 cut_off tools=1 class=cut_off
7: turn-end claude-code/s turn=1 done tools=0
8: turn-start qwen-code/old turn=1
0: turn-end qwen-code/old turn=1 cut_off tools=0 class=cut_off
warning qwen q: todo_write t1 was called, but the stream does not show its result: not applied
`},
		{"concurrent sessions: a result counts after the start of another session; an end with an error is a failure, whatever is_error says", streamtest.QwenInit +
			use("t1", "todo_write", todoA) + strings.ReplaceAll(streamtest.QwenInit+use("t2", "todo_write", todoB), `"session_id":"q"`, `"session_id":"n"`) + answer("t1", "ok") +
			strings.ReplaceAll(answer("t2", "ok")+qwenDone, `"session_id":"q"`, `"session_id":"n"`) + streamtest.QwenInit + `
{"type":"result","subtype":"error_during_execution","session_id":"q","duration_ms":5}
`, `
1: turn-start qwen-code/q turn=1
3: turn-start qwen-code/n turn=1
5: todos qwen-code/q turn=1 todo=t1 source=qwen {#1 pending "A"}
6: todos qwen-code/n turn=1 todo=t2 source=qwen {#1 pending "B"}
7: turn-end qwen-code/n turn=1 done tools=0
8: turn-end qwen-code/q turn=1 cut_off tools=0 class=cut_off
8: turn-start qwen-code/q turn=2
9: turn-end qwen-code/q turn=2 failed tools=0 class=unknown
`},
		{"a transcript of Claude Code after it, from its first line on", streamtest.QwenInit + use("t1", "read_file", `{}`) + qwenDone +
			streamtest.Prompted("u1", "null", "one") + streamtest.Answered("u2", "done", "end_turn"), `
1: turn-start qwen-code/q turn=1
3: turn-end qwen-code/q turn=1 done tools=1
4: turn-start claude-code/s turn=1
5: turn-end claude-code/s turn=1 done tools=0
`},
		{"without its first line it is read as Claude Code until it calls its todo tool; a session that has started is not", use("t1", "read_file", `{}`) + answer("t1", "ok") +
			use("t2", "todo_write", todoA) + answer("t2", stored+`[{\"id\":\"1\",\"content\":\"A\",\"status\":\"pending\"}]`) + qwenDone +
			use("t3", "todo_write", todoB) + answer("t3", "ok") + qwenDone + streamtest.ClaudeInit +
			strings.ReplaceAll(use("t4", "todo_write", todoB)+answer("t4", "ok"), `"session_id":"q"`, `"session_id":"s"`) + streamtest.ClaudeDone, `
1: turn-start claude-code/q turn=1 inferred=turn
4: todos qwen-code/q turn=1 todo=t2 source=qwen {#1 pending "A"}
5: turn-end qwen-code/q turn=1 done tools=1
6: turn-start qwen-code/q turn=2 inferred=turn
7: todos qwen-code/q turn=2 todo=t3 source=qwen {#1 pending "B"}
8: turn-end qwen-code/q turn=2 done tools=0
9: turn-start claude-code/s turn=1
12: turn-end claude-code/s turn=1 done tools=1
`},
	} {
		c.Run(t)
	}
}
