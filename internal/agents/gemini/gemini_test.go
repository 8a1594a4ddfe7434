package gemini_test

import (
	"testing"

	"onward/test/streamtest"
)

func TestGeminiTraps(t *testing.T) {
	const (
		init = `{"type":"init","timestamp":"","session_id":"g","model":"m"}` + "\n"
		list = `{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w1","parameters":{"todos":[{"description":"A","status":"blocked"},{"description":"B","status":"later"}]}}` + "\n"
	)
	for _, c := range []streamtest.Trap{
		{"results are matched by id; an output contains no list", init + list + `
{"type":"tool_result","timestamp":"","tool_id":"other","status":"success","output":"x"}
{"type":"tool_result","status":"success","output":"Successfully updated","tool_id":"w1","timestamp":""}
{"type":"error","timestamp":"","severity":"error","message":"a warning"}
{"type":"result","timestamp":"","status":"success"}
`, `
1: turn-start google-gemini/g turn=1
4: todos google-gemini/g turn=1 todo=w1 source=gemini {blocked "A"}
6: turn-end google-gemini/g turn=1 done tools=0
warning gemini g: item 2 of a list is left out: its status is "later"
`},
		{"a call without a result, and no end", init + list, `
1: turn-start google-gemini/g turn=1
0: turn-end google-gemini/g turn=1 cut_off tools=0 class=cut_off
warning gemini g: write_todos w1 was called, but the stream does not show its result: not applied
`},
		{"a duplicated call counts once", init + list + list + `
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success"}
{"type":"result","timestamp":"","status":"success"}
`, `
1: turn-start google-gemini/g turn=1
4: todos google-gemini/g turn=1 todo=w1 source=gemini {blocked "A"}
5: turn-end google-gemini/g turn=1 done tools=0
warning gemini g: item 2 of a list is left out: its status is "later"
`},
		{"parameters without a valid list are rejected or reported", init + `
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w1","parameters":"none"}
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success"}
{"type":"result","timestamp":"","status":"error","error":{"type":"FatalCancellationError","message":"Operation cancelled."}}
` + init + `{"type":"result","timestamp":"","status":"error","error":{"type":"FatalAuthenticationError","message":"status: 401"}}
` + init + `{"type":"result","timestamp":"","status":"error","error":{"type":"FatalTurnLimitedError","message":"Reached max session turns for this session."}}
`, `
1: turn-start google-gemini/g turn=1
4: turn-end google-gemini/g turn=1 aborted tools=0
5: turn-start google-gemini/g turn=2
6: turn-end google-gemini/g turn=2 failed tools=0 class=auth
7: turn-start google-gemini/g turn=3
8: turn-end google-gemini/g turn=3 done tools=0
warning gemini g: "w1" was accepted, but holds no list
`},
		{"calls that the stream omits are in its totals", init + `
{"type":"result","timestamp":"","status":"success","stats":{"models":{"m":{"tool_calls":9}},"tool_calls":3}}
` + init + `
{"type":"tool_use","timestamp":"","tool_name":"ls","tool_id":"l1","parameters":{}}
{"type":"result","timestamp":"","status":"success","stats":{"tool_calls":3}}
` + init + list + `
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"error"}
{"type":"result","timestamp":"","status":"success","stats":{"tool_calls":1}}
` + init + `
{"type":"result","timestamp":"","status":"success","stats":{"tool_calls":"many"}}
{"type":"result","timestamp":"","status":"success","stats":{"tool_calls":-1}}
`, `
1: turn-start google-gemini/g turn=1
2: turn-end google-gemini/g turn=1 done tools=3
3: turn-start google-gemini/g turn=2
5: turn-end google-gemini/g turn=2 done tools=1
6: turn-start google-gemini/g turn=3
9: turn-end google-gemini/g turn=3 done tools=0
10: turn-start google-gemini/g turn=4
11: turn-end google-gemini/g turn=4 done tools=0
warning gemini g: write_todos w1 was rejected by the agent
warning gemini g: the end of a turn is duplicated
`},
		{"invalid lists, one as a text, one refused with an unknown word; a duplicated result", `
{"type":"tool_result","timestamp":"","tool_id":"w0","status":"success"}
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w1","parameters":{"todos":[{"description":"A","status":"cancelled"},{"description":"B","status":null},["x"],"y"]}}
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w2","parameters":{"todos":null}}
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w3","parameters":{"todos":"[{\"description\":\"Z\",\"status\":\"pending\"}]"}}
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w4","parameters":{"todos":[]}}
{"type":"tool_result","timestamp":"","tool_id":"w2","status":"success"}
{"type":"tool_result","timestamp":"","tool_id":"w3","status":"success"}
{"type":"tool_result","timestamp":"","tool_id":"w4","status":"cancelled"}
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success"}
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success"}
`, `
2: turn-start google-gemini/ turn=1 inferred=turn
7: todos google-gemini/ turn=1 todo=w3 source=gemini {pending "Z"}
9: todos google-gemini/ turn=1 todo=w1 source=gemini {cancelled "A", pending "B"}
0: turn-end google-gemini/ turn=1 cut_off tools=0 class=cut_off
warning gemini "w2" was accepted, but holds no list
warning gemini write_todos w4 was rejected by the agent
warning gemini item 3 of a list is left out: bad argument: the text is empty
warning gemini item 4 of a list is left out: bad argument: the text is empty
`},
		{"the last message in pieces", init + `
{"type":"message","timestamp":"","role":"user","content":"ONWARD-PAUSE: not me"}
{"type":"message","timestamp":"","role":"assistant","content":"ONWARD-PAUSE: not the last","delta":true}
{"type":"tool_use","timestamp":"","tool_name":"ls","tool_id":"l1","parameters":{}}
{"type":"tool_result","timestamp":"","tool_id":"l1","status":"success"}
{"type":"message","timestamp":"","role":"assistant","content":"Stuck.\nONWARD-","delta":true}
{"type":"message","timestamp":"","role":"assistant","content":"PAUSE: no net","delta":true}
{"type":"message","timestamp":"","role":"assistant","content":"work\n","delta":true}
{"type":"result","timestamp":"","status":"success"}
`, `
1: turn-start google-gemini/g turn=1
9: pause google-gemini/g turn=1 "no network"
9: turn-end google-gemini/g turn=1 done tools=1
`},
	} {
		c.Run(t)
	}
}
