package acp_test

import (
	"testing"

	"onward/test/streamtest"
)

func TestACPTraps(t *testing.T) {
	const (
		start   = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}` + "\n" + `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}` + "\n"
		prompt  = `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"a","prompt":[{"type":"text","text":"ONWARD-PAUSE: not me"}]}}` + "\n"
		ended   = `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}` + "\n"
		running = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a","update":{"sessionUpdate":"state_update","state":"running"}}}` + "\n"
		idle    = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}` + "\n"
	)
	update := func(members string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a","update":{` + members + `}}}` + "\n"
	}
	for _, c := range []streamtest.Trap{
		{"version 1, both directions: a turn starts with the prompt and ends with its answer; a loaded history starts no turn", start + `
{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"a"}}
` + update(`"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"old"}`) +
			update(`"sessionUpdate":"tool_call","toolCallId":"old"`) +
			update(`"sessionUpdate":"plan","entries":[{"content":"A","priority":"high","status":"in_progress"}]`) + `
{"jsonrpc":"2.0","id":1,"result":null}
` + prompt +
			update(`"sessionUpdate":"plan","entries":[{"content":"A","priority":"high","status":"completed"},{"content":"","status":"pending"},{"content":"B","status":"_deferred"}]`) +
			update(`"sessionUpdate":"tool_call","toolCallId":"t1","status":"pending"`) +
			update(`"toolCallId":"t1","sessionUpdate":"tool_call_update","status":"completed"`) + `
{"jsonrpc":"2.0","id":2,"method":"fs/read_text_file","params":{"sessionId":"a","path":"x"}}
{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"no such file"}}
` + ended + update(`"sessionUpdate":"plan","entries":[]`), `
6: todos acp/a turn=0 todo=plan source=acp {in_progress "A" !high}
8: turn-start acp/a turn=1
9: todos acp/a turn=1 todo=plan source=acp {completed "A" !high}
14: turn-end acp/a turn=1 done tools=1
15: todos acp/a turn=1 todo=plan source=acp {}
warning acp a: item 2 of a list is left out: bad argument: the text is empty
warning acp a: item 3 of a list is left out: its status is "_deferred"
`},
		{"version 1, only the agent's lines", `
{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}
{"jsonrpc":"2.0","id":1,"result":{"sessionId":"a"}}
` + update(`"sessionUpdate":"plan","entries":[{"content":"A","status":"pending"}]`) + ended +
			update(`"sessionUpdate":"tool_call","toolCallId":"t1"`) + `
{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"Authentication required"}}
`, `
3: turn-start acp/a turn=1 inferred=turn
3: todos acp/a turn=1 todo=plan source=acp {pending "A"}
4: turn-end acp/a turn=1 done tools=0
5: turn-start acp/a turn=2 inferred=turn
6: turn-end acp/a turn=2 failed tools=1 class=auth
`},
		{"only the agent's lines: a prompt that is cancelled before any output", `
{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}
{"jsonrpc":"2.0","id":1,"result":{"sessionId":"a"}}
{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}}
`, `
3: turn-start acp/a turn=1 inferred=turn
3: turn-end acp/a turn=1 aborted tools=0
`},
		{"an interrupted prompt that is answered with an error", start + prompt + `
{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"a"}}
{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error","data":{"details":"AbortError"}}}
` + prompt + `
{"jsonrpc":"2.0","id":2,"error":{"code":-32800,"message":"Request cancelled"}}
`, `
3: turn-start acp/a turn=1
5: turn-end acp/a turn=1 aborted tools=0
6: turn-start acp/a turn=2
7: turn-end acp/a turn=2 aborted tools=0
`},
		{"version 2: a state ends the turn, and not the answer; several plans exist at the same time", start + prompt +
			`{"jsonrpc":"2.0","id":2,"result":{}}` + "\n" + running +
			update(`"sessionUpdate":"plan_update","plan":{"type":"items","planId":"p1","entries":[{"content":"A","status":"pending"}]}`) +
			update(`"sessionUpdate":"plan_update","plan":{"type":"items","id":"p2","entries":[{"content":"B","status":"cancelled"}]}`) +
			update(`"sessionUpdate":"plan_update","plan":{"type":"items","planId":"p1","entries":[{"content":"A","status":"completed"}]}`) +
			update(`"sessionUpdate":"plan_update","plan":{"type":"markdown","planId":"p3","content":"- [ ] x"}`) +
			update(`"sessionUpdate":"plan_removed","id":"p2"`) +
			update(`"sessionUpdate":"plan_removed","planId":"p9"`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"pending"`) +
			update(`"sessionUpdate":"state_update","state":"requires_action"`) + running +
			update(`"sessionUpdate":"agent_message","messageId":"m1","content":[{"type":"text","text":"ONWARD-PAUSE: no"}]`) +
			update(`"sessionUpdate":"agent_message","messageId":"m1","content":[{"type":"text","text":"Stuck.\n"}]`) +
			update(`"sessionUpdate":"agent_message_chunk","messageId":"m1","content":{"type":"text","text":"ONWARD-PAUSE: which key?"}`) +
			update(`"sessionUpdate":"agent_message","messageId":"m1","title":"x"`) + idle, `
3: turn-start acp/a turn=1
6: todos acp/a turn=1 todo=p1 source=acp {pending "A"}
7: todos acp/a turn=1 todo=p2 source=acp {pending "A", cancelled "B"}
8: todos acp/a turn=1 todo=p1 source=acp {completed "A", cancelled "B"}
10: todos acp/a turn=1 todo=p2 source=acp {completed "A"}
19: pause acp/a turn=1 "which key?"
19: turn-end acp/a turn=1 done tools=1
warning acp a: a plan of type "markdown" is not a list of items
`},
		{"an agent without plans: its todo tool is read, and does not count as a call; two forms of a refusal", start + prompt +
			update(`"sessionUpdate":"tool_call","toolCallId":"w1","title":"todowrite","status":"pending","rawInput":{}`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"w1","title":"todowrite","status":"in_progress","rawInput":{"todos":[{"content":"sent","status":"pending"}]}`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"w1","title":"1 todos","status":"completed","rawOutput":{"metadata":{"todos":[{"content":"A","status":"pending"}]}}`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"w1","title":"1 todos","status":"completed"`) +
			update(`"sessionUpdate":"tool_call","toolCallId":"w2","title":"todowrite","status":"pending","rawInput":{"todos":[]}`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"w2","status":"completed","title":"Invalid Tool","rawInput":{"tool":"todowrite","error":"x"}`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"w3","status":"failed","_meta":{"toolName":"todo_write"}`) +
			update(`"sessionUpdate":"tool_call","toolCallId":"w4","title":"todowrite","status":"pending","rawInput":{"todos":[]}`) + ended, `
3: turn-start acp/a turn=1
6: todos acp/a turn=1 todo=w1 source=acp {pending "A"}
12: turn-end acp/a turn=1 done tools=0
warning acp a: todowrite w2 was rejected by the agent
warning acp a: todo_write w3 was rejected by the agent
warning acp a: todowrite w4 was called, but the stream does not show its result: not applied
`},
		{"calls are ignored if there are plans; a sub-agent has its own calls and plans", start + prompt +
			update(`"sessionUpdate":"plan","entries":[{"content":"A","status":"pending"}]`) +
			update(`"sessionUpdate":"tool_call","toolCallId":"w1","title":"todowrite","status":"completed","rawInput":{"todos":[{"content":"B","status":"pending"}]}`) +
			update(`"sessionUpdate":"tool_call","toolCallId":"t1","title":"Agent","status":"in_progress"`) +
			update(`"sessionUpdate":"tool_call","toolCallId":"t2","title":"ls","status":"pending","_meta":{"parentToolCallId":"t1"}`) +
			update(`"sessionUpdate":"plan","entries":[{"content":"sub","status":"pending"}]`) +
			update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"ONWARD-PAUSE: sub"},"_meta":{"parentToolCallId":"t1"}`) +
			update(`"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed"`) +
			update(`"sessionUpdate":"plan","entries":[]`) + ended, `
3: turn-start acp/a turn=1
4: todos acp/a turn=1 todo=plan source=acp {pending "A"}
8: todos acp/a+t1 parent=t1 turn=1 todo=plan source=acp {pending "sub"}
11: todos acp/a turn=1 todo=plan source=acp {}
12: turn-end acp/a turn=1 done tools=1
`},
		{"how turns end", start + prompt + `
{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}}
` + prompt + `
{"jsonrpc":"2.0","id":2,"result":{"stopReason":"refusal"}}
` + prompt + `
{"jsonrpc":"2.0","id":2,"result":{"stopReason":"max_turn_requests"}}
` + prompt + `
{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"overloaded"}}
` + prompt + `
{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error","data":{"details":"status 503 Service Unavailable"}}}
` + prompt + `
{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error","data":"rate limit exceeded"}}
` + prompt + `
{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"a"}}
` + start + prompt, `
3: turn-start acp/a turn=1
4: turn-end acp/a turn=1 aborted tools=0
5: turn-start acp/a turn=2
6: turn-end acp/a turn=2 failed tools=0 class=unknown
7: turn-start acp/a turn=3
8: turn-end acp/a turn=3 done tools=0
9: turn-start acp/a turn=4
10: turn-end acp/a turn=4 failed tools=0 class=server
11: turn-start acp/a turn=5
12: turn-end acp/a turn=5 failed tools=0 class=server
13: turn-start acp/a turn=6
14: turn-end acp/a turn=6 failed tools=0 class=rate_limit
15: turn-start acp/a turn=7
17: turn-end acp/a turn=7 aborted tools=0
19: turn-start acp/a turn=8
0: turn-end acp/a turn=8 cut_off tools=0 class=cut_off
`},
		{"concurrent sessions; a message in pieces", start + prompt + `
{"jsonrpc":"2.0","id":"x","method":"session/prompt","params":{"sessionId":"b","prompt":[]}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"b","update":{"sessionUpdate":"plan","entries":[{"content":"B","status":"pending"}]}}}
` + update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"ONWARD-PAUSE: not the last"}`) +
			update(`"sessionUpdate":"tool_call","toolCallId":"t1"`) +
			update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Stuck.\nONWARD-PA"}`) +
			update(`"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"x\nx"}`) +
			update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"USE: no network"}`) + ended + `
{"jsonrpc":"2.0","id":"x","result":{"stopReason":"max_tokens"}}
`, `
3: turn-start acp/a turn=1
4: turn-start acp/b turn=1
5: todos acp/b turn=1 todo=plan source=acp {pending "B"}
11: pause acp/a turn=1 "no network"
11: turn-end acp/a turn=1 done tools=1
12: turn-end acp/b turn=1 done tools=0
`},
	} {
		c.Run(t)
	}
}
