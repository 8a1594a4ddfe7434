package kimi_test

import (
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/test/streamtest"
)

func TestKimiTraps(t *testing.T) {
	const (
		list = `{"role":"assistant","content":"I plan.","tool_calls":[{"type":"function","id":"w1","function":{"name":"SetTodoList","arguments":"{\"todos\":[{\"title\":\"A\",\"status\":\"done\"},{\"title\":\"B\",\"status\":\"in_progress\"},{\"title\":\"\",\"status\":\"done\"},{\"title\":\"C\",\"status\":\"completed?\"}]}"}},{"type":"function","id":"s1","function":{"name":"Shell","arguments":"{}"}}]}` + "\n"
		bye  = `{"role":"assistant","content":[{"type":"think","think":"hm"},{"type":"text","text":"All "},{"type":"text","text":"done."}]}` + "\n"
	)
	for _, c := range []streamtest.Trap{
		{"a call with its result; done means completed; the end of the input ends the turn", list + `
{"role":"tool","tool_call_id":"s1","content":"Todo list updated"}
{"role":"tool","tool_call_id":"w1","content":[{"type":"text","text":"<system>Todo list updated</system>"}]}
` + bye, `
1: turn-start kimi/ turn=1 inferred=turn
3: todos kimi/ turn=1 todo=w1 source=kimi {completed "A" native=done, in_progress "B"}
0: turn-end kimi/ turn=1 done tools=1
warning kimi item 3 of a list is left out: bad argument: the text is empty
warning kimi item 4 of a list is left out: its status is "completed?"
`},
		{"the statuses of 2025, and their result", `
{"role":"assistant","tool_calls":[{"id":"w1","function":{"name":"SetTodoList","arguments":"{\"todos\":[{\"title\":\"A\",\"status\":\"Done\"},{\"title\":\"B\",\"status\":\"In Progress\"},{\"title\":\"C\",\"status\":\"Pending\"}]}"}}]}
{"role":"tool","tool_call_id":"w1","content":[{"type":"text","text":"- A [Done]\n- B [In Progress]\n- C [Pending]"}]}
`, `
1: turn-start kimi/ turn=1 inferred=turn
2: todos kimi/ turn=1 todo=w1 source=kimi {completed "A" native=Done, in_progress "B" native=In Progress, pending "C" native=Pending}
0: turn-end kimi/ turn=1 cut_off tools=0 class=cut_off
`},
		{"refusals that only the text shows; a call that only reads; one without a result", `
{"role":"assistant","tool_calls":[{"id":"w1","function":{"name":"TodoList","arguments":"{\"todos\":[]}"}},{"id":"w2","function":{"name":"TodoList","arguments":{"todos":[{"title":"A","status":"pending"}]}}},{"id":"w3","function":{"name":"TodoList","arguments":"{}"}},{"id":"w4","function":{"name":"TodoList","arguments":"{\"todos\":null}"}},{"id":"w5","function":{"name":"TodoList","arguments":"{\"todos\":"}},{"id":"w6","function":{"name":"TodoList","arguments":"{\"todos\":[]}"}}]}
{"role":"tool","tool_call_id":"w1","content":"<system>ERROR: Invalid args</system>"}
{"role":"tool","tool_call_id":"w2","content":"Todo list updated.\nCurrent todo list:\n  [pending] A"}
{"role":"tool","tool_call_id":"w3","content":"Current todo list:"}
{"role":"tool","tool_call_id":"w4","content":"Todo list is empty."}
{"role":"tool","tool_call_id":"w5","content":"Invalid JSON"}
`, `
1: turn-start kimi/ turn=1 inferred=turn
3: todos kimi/ turn=1 todo=w2 source=kimi {pending "A"}
0: turn-end kimi/ turn=1 cut_off tools=0 class=cut_off
warning kimi TodoList w1 was rejected by the agent: "error: invalid args</system>"
warning kimi TodoList w5 was rejected by the agent: "invalid json"
warning kimi TodoList w6 was called, but the stream does not show its result: not applied
`},
		{"the last line names the session; the next line belongs to another run", list + bye + `
{"role":"meta","type":"session.resume_hint","session_id":"k1","command":"kimi -r k1","content":"To resume this session: kimi -r k1"}
{"role":"assistant","content":"PreToolUse hook blocked\n\nno"}
` + list + `
{"role":"meta","type":"session.resume_hint","session_id":"k1"}
`, `
1: turn-start kimi/ turn=1 inferred=turn
3: turn-end kimi/k1 turn=1 done tools=1
4: turn-start kimi/ turn=1 inferred=turn
6: turn-end kimi/k1 turn=1 cut_off tools=1 class=cut_off
warning kimi k1: SetTodoList w1 was called, but the stream does not show its result: not applied
warning kimi k1: SetTodoList w1 was called, but the stream does not show its result: not applied
`},
		{"newer versions start with their version, and do not report failures", `
{"role":"meta","type":"system.version","version":"2.1.0"}
` + list + `
{"role":"meta","type":"system.version","version":"2.1.0"}
` + bye, `
1: turn-start kimi/ turn=1
3: turn-end kimi/ turn=1 cut_off tools=1 class=cut_off
3: turn-start kimi/ turn=2
0: turn-end kimi/ turn=2 done tools=0
warning kimi SetTodoList w1 was called, but the stream does not show its result: not applied
`},
		{"the last message pauses; a prompt starts another turn", `
{"role":"meta","type":"system.version","version":"2.1.0"}
{"role":"user","content":"go"}
{"role":"assistant","content":"ONWARD-PAUSE: which key?"}
{"role":"user","content":"go on"}
` + list, `
1: turn-start kimi/ turn=1
2: turn-end kimi/ turn=1 cut_off tools=0 class=cut_off
2: turn-start kimi/ turn=2
4: pause kimi/ turn=2 "which key?"
4: turn-end kimi/ turn=2 done tools=0
4: turn-start kimi/ turn=3
0: turn-end kimi/ turn=3 cut_off tools=1 class=cut_off
warning kimi SetTodoList w1 was called, but the stream does not show its result: not applied
`},
		{"chat messages of another program are not Kimi's", `
{"role":"system","content":"You are helpful."}
{"role":"user","content":"go"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"todo_write","arguments":"{\"todos\":[]}"}}]}
{"role":"tool","tool_call_id":"c1","content":"ok"}
`, ""},
		{"a message without a session within the turn of another agent starts no session", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"role":"assistant","content":"printed by a tool"}
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}
` + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
6: turn-end claude-code/s turn=1 done tools=0
`},
	} {
		c.Run(t)
	}
}

// TestKimiEventIDs reads two runs in one input that differ only in their order. Their events must have different ids.
func TestKimiEventIDs(t *testing.T) {
	run := streamtest.Recording(t, "kimi/stream.jsonl")
	seen := make(map[string]bool)
	for _, u := range streamtest.Drain(t, agents.NewReader(strings.NewReader(run+strings.ReplaceAll(run, "session_62de", "session_aaaa")+run), stream.Options{})) {
		if id := u.EventID(""); seen[id] {
			t.Errorf("%s comes twice: %s", id, streamtest.Text(u))
		} else {
			seen[id] = true
		}
	}
}
