package opencode_test

import (
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/test/streamtest"
)

func TestOpencodeTraps(t *testing.T) {
	const (
		start = `{"type":"step_start","timestamp":1000,"sessionID":"o","part":{"type":"step-start"}}` + "\n"
		more  = `{"type":"step_finish","timestamp":2000,"sessionID":"o","part":{"type":"step-finish","reason":"tool-calls"}}` + "\n"
		stop  = `{"type":"step_finish","timestamp":3000,"sessionID":"o","part":{"type":"step-finish","reason":"stop"}}` + "\n"
		list  = `{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todowrite","callID":"w1","state":{"status":"completed","input":{"todos":[{"content":"A","status":"pending"}]}}}}` + "\n"
	)
	for _, c := range []streamtest.Trap{
		{"the list is the stored one; an old entry with an id; invalid entries are ignored", start + `
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"state":{"metadata":{"todos":[{"id":1,"content":"A","status":"completed","priority":"urgent"},{"content":" ","status":"pending"},{"content":"B","status":"later"}]},"input":{"todos":[{"content":"sent","status":"pending"}]},"status":"completed"},"callID":"w1","tool":"todowrite"}}
` + stop, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
2: todos opencode/o turn=1 at=1970-01-01T00:00:01.500Z todo=w1 source=opencode {#1 completed "A"}
0: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z done tools=0
warning opencode o: item 2 of a list is left out: bad argument: the text is empty
warning opencode o: item 3 of a list is left out: its status is "later"
`},
		{"duplicated lines count once", start + start + list + more + more + start + start + stop + stop, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
3: todos opencode/o turn=1 at=1970-01-01T00:00:01.500Z todo=w1 source=opencode {pending "A"}
8: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z done tools=0
`},
		{"a text that is cut within a character loses only that character", start + `
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todowrite","callID":"w\udc00","state":{"status":"completed","input":{"todos":[{"content":"A \ud83d","status":"pending"},{"content":"\ud83d\ud83d\ude00 B","status":"pending"}]},"x":"\ud83dx"}}}
{"type":"new_thing","sessionID":"o","text":"\ude00"}
{"type":"text","timestamp":1500,"sessionID":"o","part":{"text":"\ud83d\nONWARD-PAUSE: no \ud83d"}}
` + stop, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
2: todos opencode/o turn=1 at=1970-01-01T00:00:01.500Z todo=w� source=opencode {pending "A �", pending "�😀 B"}
0: pause opencode/o turn=1 at=1970-01-01T00:00:03.000Z "no �"
0: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z done tools=0
`},
		{"a call that is printed before it has finished counts when it ends", start + `
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todowrite","callID":"w1","state":{"status":"running","input":{"todos":[{"content":"A","status":"pending"}]}}}}
` + list + `
{"type":"tool_use","timestamp":1600,"sessionID":"o","part":{"tool":"todowrite","callID":"w2","state":{"status":"pending","input":{}}}}
{"type":"tool_use","timestamp":1600,"sessionID":"o","part":{"tool":"bash","callID":"b1","state":{"status":"running"}}}
{"type":"tool_use","timestamp":1600,"sessionID":"o","part":{"tool":"bash","callID":"b1","state":{"status":"completed"}}}
`, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
3: todos opencode/o turn=1 at=1970-01-01T00:00:01.500Z todo=w1 source=opencode {pending "A"}
0: turn-end opencode/o turn=1 cut_off tools=1 class=cut_off
warning opencode o: todowrite w2 was called, but the stream does not show its result: not applied
`},
		{"todoread shows the list and never empties one; an accepted call without a list is reported", start + `
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todoread","callID":"r1","state":{"status":"completed","input":{},"metadata":{"todos":[{"content":"A","status":"in_progress"}]}}}}
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todoread","callID":"r3","state":{"status":"completed","input":{},"metadata":{"todos":[]}}}}
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todoread","callID":"r2","state":{"status":"error","input":{},"error":"x"}}}
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todowrite","callID":"w1","state":{"status":"completed","input":"none"}}}
` + stop, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
2: todos opencode/o turn=1 at=1970-01-01T00:00:01.500Z todo=r1 source=opencode {in_progress "A"}
0: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z done tools=0
warning opencode o: "w1" was accepted, but holds no list
`},
		{"a part of another session belongs to a sub-agent", start + `
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"sessionID":"ses_sub","tool":"todowrite","callID":"w1","state":{"status":"completed","input":{"todos":[{"content":"A","status":"pending"}]}}}}
{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"sessionID":"ses_sub","tool":"bash","callID":"b1","state":{"status":"completed"}}}
{"type":"text","timestamp":1500,"sessionID":"o","part":{"sessionID":"ses_sub","text":"ONWARD-PAUSE: not the main agent"}}
{"type":"step_finish","timestamp":1500,"sessionID":"o","part":{"sessionID":"ses_sub","reason":"stop"}}
` + stop, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
2: todos opencode/o+ses_sub turn=1 at=1970-01-01T00:00:01.500Z todo=w1 source=opencode {pending "A"}
6: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z done tools=0
`},
		{"newer versions report the end of the run; a resumed run is another turn", start + list + more + `
{"type":"reasoning","timestamp":2500,"sessionID":"o","part":{"type":"reasoning","text":"ONWARD-PAUSE: a thought"}}
` + start + stop + `
{"type":"done","timestamp":4000,"sessionID":"o","reason":"idle","rejected":[]}
` + start + more + `
{"type":"done","timestamp":5000,"sessionID":"o","reason":"idle","rejected":["bash"]}
`, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
2: todos opencode/o turn=1 at=1970-01-01T00:00:01.500Z todo=w1 source=opencode {pending "A"}
6: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z done tools=0
8: turn-start opencode/o turn=2 at=1970-01-01T00:00:01.000Z
10: turn-end opencode/o turn=2 at=1970-01-01T00:00:05.000Z done tools=0
`},
		{"an error ends the turn and is printed twice; an abort is an interrupt by the user", start + `
{"type":"error","timestamp":3000,"sessionID":"o","error":{"name":"APIError","data":{"message":"Too many requests","statusCode":429,"isRetryable":true}}}
{"type":"error","timestamp":3000,"sessionID":"o","error":{"name":"APIError","data":{"message":"Too many requests","statusCode":429}}}
{"type":"done","timestamp":3001,"sessionID":"o","reason":"idle"}
` + start + `
{"type":"error","timestamp":3000,"sessionID":"o","error":{"name":"MessageAbortedError","data":{"message":"The operation was aborted."}}}
{"type":"error","timestamp":3000,"sessionID":"p","error":{"name":"ProviderAuthError","data":{"providerID":"x","message":"no key"}}}
{"type":"error","timestamp":3000,"sessionID":"q","error":{"name":"ContextOverflowError","data":{"message":"too long"}}}
{"type":"error","timestamp":3000,"sessionID":"r","error":"unexpected status 503"}
{"type":"error","timestamp":3000,"sessionID":"u","error":{"name":"UnknownError","data":7}}
`, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
2: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z failed tools=0 class=rate_limit
5: turn-start opencode/o turn=2 at=1970-01-01T00:00:01.000Z
6: turn-end opencode/o turn=2 at=1970-01-01T00:00:03.000Z aborted tools=0
7: turn-start opencode/p turn=1 at=1970-01-01T00:00:03.000Z inferred=turn
7: turn-end opencode/p turn=1 at=1970-01-01T00:00:03.000Z failed tools=0 class=auth
8: turn-start opencode/q turn=1 at=1970-01-01T00:00:03.000Z inferred=turn
8: turn-end opencode/q turn=1 at=1970-01-01T00:00:03.000Z failed tools=0 class=context
9: turn-start opencode/r turn=1 at=1970-01-01T00:00:03.000Z inferred=turn
9: turn-end opencode/r turn=1 at=1970-01-01T00:00:03.000Z failed tools=0 class=server
10: turn-start opencode/u turn=1 at=1970-01-01T00:00:03.000Z inferred=turn
10: turn-end opencode/u turn=1 at=1970-01-01T00:00:03.000Z failed tools=0 class=unknown
`},
		{"a killed run, and one that resumes it", start + more + start + list + `
{"type":"step_start","timestamp":9000,"sessionID":"p","part":{"type":"step-start"}}
` + stop, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
4: todos opencode/o turn=1 at=1970-01-01T00:00:01.500Z todo=w1 source=opencode {pending "A"}
5: turn-end opencode/o turn=1 cut_off tools=0 class=cut_off
5: turn-start opencode/p turn=1 at=1970-01-01T00:00:09.000Z
6: turn-end opencode/p turn=1 cut_off tools=0 class=cut_off
6: turn-start opencode/o turn=2 at=1970-01-01T00:00:03.000Z inferred=turn
6: turn-end opencode/o turn=2 at=1970-01-01T00:00:03.000Z done tools=0
`},
		{"only the last message of a turn can pause", start + `
{"type":"text","timestamp":1500,"sessionID":"o","part":{"text":"ONWARD-PAUSE: no"}}
{"type":"text","timestamp":1500,"sessionID":"o","part":{"text":"I go on."}}
` + stop + start + `
{"type":"text","timestamp":1500,"sessionID":"o","part":{"text":"Stuck.\n\u004fNWARD-PAUSE: no network\n"}}
` + stop, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
4: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z done tools=0
5: turn-start opencode/o turn=2 at=1970-01-01T00:00:01.000Z
7: pause opencode/o turn=2 at=1970-01-01T00:00:03.000Z "no network"
7: turn-end opencode/o turn=2 at=1970-01-01T00:00:03.000Z done tools=0
`},
		{"a run whose end is missing after a message, and one that is cut off in a call or after one", `
{"type":"step_start","timestamp":1000,"sessionID":"o","part":{}}
{"type":"text","timestamp":2000,"sessionID":"o","part":{"text":"All done."}}
{"type":"step_start","timestamp":3000,"sessionID":"p","part":{}}
{"type":"text","timestamp":4000,"sessionID":"p","part":{"text":"I look."}}
{"type":"tool_use","timestamp":5000,"sessionID":"p","part":{"tool":"bash","callID":"c","state":{"status":"completed"}}}
{"type":"step_start","timestamp":6000,"sessionID":"q","part":{}}
{"type":"text","timestamp":7000,"sessionID":"q","part":{"text":"I look."}}
{"type":"step_finish","timestamp":8000,"sessionID":"q","part":{"reason":"tool-calls"}}
`, `
1: turn-start opencode/o turn=1 at=1970-01-01T00:00:01.000Z
3: turn-end opencode/o turn=1 done tools=0
3: turn-start opencode/p turn=1 at=1970-01-01T00:00:03.000Z
6: turn-end opencode/p turn=1 cut_off tools=1 class=cut_off
6: turn-start opencode/q turn=1 at=1970-01-01T00:00:06.000Z
0: turn-end opencode/q turn=1 cut_off tools=0 class=cut_off
`},
		{"a run that fails immediately, after the run of another agent", streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone + `
{"type":"error","timestamp":3000,"sessionID":"o","error":{"name":"UnknownError","data":{"message":"Model not found"}}}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 done tools=0
4: turn-start opencode/o turn=1 at=1970-01-01T00:00:03.000Z inferred=turn
4: turn-end opencode/o turn=1 at=1970-01-01T00:00:03.000Z failed tools=0 class=invalid_request
`},
	} {
		c.Run(t)
	}
}

// TestOpencodeNamesSubAgentOfRefusedCall reads a refused call of a sub-agent. Its line names the main session, and the part in it the sub-agent's.
func TestOpencodeNamesSubAgentOfRefusedCall(t *testing.T) {
	const refused = `{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"sessionID":"sub","tool":"todowrite","callID":"w1","state":{"status":"error","error":"x"}}}`
	r := agents.NewReader(strings.NewReader(refused), stream.Options{})
	streamtest.Drain(t, r)
	if calls := r.Summary().Streams[0].Rejected; len(calls) != 1 || calls[0].SubAgent != "sub" {
		t.Errorf("rejected: %+v", calls)
	}
}
