package agent

import (
	"strings"
	"testing"
)

func TestDroidTraps(t *testing.T) {
	const (
		session = `"timestamp":1762517060816,"session_id":"d"}` + "\n"
		asks    = `{"type":"message","role":"user","id":"m1","text":"go",` + session
		writes  = `{"type":"tool_call","id":"w","messageId":"m2","toolId":"TodoWrite","toolName":"TodoWrite","parameters":{"todos":"1. [done] A\n\n2. [someday] B"},` + session
		accepts = `{"type":"tool_result","id":"w","messageId":"m3","toolId":"TodoWrite","isError":false,"value":"TODO List Updated",` + session
		ends    = `{"type":"completion","finalText":"x\nONWARD-PAUSE: no key","numTurns":1,"durationMs":1,` + session
	)
	for _, c := range []trap{
		{"an end that is duplicated, a status that nobody knows", asks + writes + accepts + ends + ends, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
3: todos droid/d turn=1 at=2025-11-07T12:04:20.816Z todo=w source=droid {completed "A" native=done}
4: pause droid/d turn=1 at=2025-11-07T12:04:20.816Z "no key"
4: turn-end droid/d turn=1 at=2025-11-07T12:04:20.816Z done tools=0
warning droid d: item 2 of a list is left out: its status is "someday"
warning droid d: the end of a turn is duplicated
`},
		{"it fails, with a call that was never answered", asks + writes + `{"type":"error","source":"cli","message":"429 too many requests",` + session, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
0: turn-end droid/d turn=1 failed tools=0 class=rate_limit
warning droid d: TodoWrite w was called, and no result tells whether it was accepted: not applied
`},
		{"a result without an id is that of the only call of its tool", asks + writes + strings.Replace(accepts, `"id":"w",`, "", 1) + ends, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
3: todos droid/d turn=1 at=2025-11-07T12:04:20.816Z todo=w source=droid {completed "A" native=done}
4: pause droid/d turn=1 at=2025-11-07T12:04:20.816Z "no key"
4: turn-end droid/d turn=1 at=2025-11-07T12:04:20.816Z done tools=0
warning droid d: item 2 of a list is left out: its status is "someday"
`},
		{"of two calls, or of another tool, it tells nothing", asks + writes + strings.Replace(writes, `"id":"w"`, `"id":"v"`, 1) + strings.Replace(accepts, `"id":"w",`, "", 1) +
			strings.NewReplacer(`"id":"w",`, "", `"toolId":"TodoWrite","toolName"`, `"toolId":"Execute","toolName"`, `"toolId":"TodoWrite","isError"`, `"toolId":"Execute","isError"`).Replace(accepts) + ends, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
6: pause droid/d turn=1 at=2025-11-07T12:04:20.816Z "no key"
6: turn-end droid/d turn=1 at=2025-11-07T12:04:20.816Z done tools=0
warning droid d: TodoWrite w was called, and no result tells whether it was accepted: not applied
warning droid d: TodoWrite v was called, and no result tells whether it was accepted: not applied
`},
		{"inside the open turn of a rollout", `{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
` + asks + writes + `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[]}}
` + accepts + ends + `{"type":"event_msg","payload":{"type":"task_complete"}}
`, `
2: turn-start openai-codex/a turn=1
3: turn-end openai-codex/a turn=1 cut_off tools=0 class=cut_off
3: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
5: turn-start openai-codex/a turn=2 inferred=turn
6: todos droid/d turn=1 at=2025-11-07T12:04:20.816Z todo=w source=droid {completed "A" native=done}
7: pause droid/d turn=1 at=2025-11-07T12:04:20.816Z "no key"
7: turn-end droid/d turn=1 at=2025-11-07T12:04:20.816Z done tools=0
8: turn-end openai-codex/a turn=2 done tools=0
warning droid d: item 2 of a list is left out: its status is "someday"
`},
		{"it is killed, and another run follows", asks + asks, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
2: turn-end droid/d turn=1 cut_off tools=0 class=cut_off
2: turn-start droid/d turn=2 at=2025-11-07T12:04:20.816Z
0: turn-end droid/d turn=2 cut_off tools=0 class=cut_off
`},
	} {
		c.run(t)
	}
}

func TestKimiWireTraps(t *testing.T) {
	const (
		asks   = `{"type":"turn.prompt","agentId":"main","input":[],"origin":{"kind":"user"},"turnId":0,"time":1500}` + "\n"
		writes = `{"type":"context.append_loop_event","agentId":"main","event":{"type":"tool.call","toolCallId":"c","name":"TodoList","args":{"todos":[{"title":"A","status":"done"}]}},"time":1600}` + "\n"
		result = `{"type":"context.append_loop_event","agentId":"main","event":{"type":"tool.result","toolCallId":"c","result":{"output":"Todo list updated."}},"time":1700}` + "\n"
	)
	for _, c := range []trap{
		{"a result without a record of the list", asks + writes + result + `{"type":"turn.ended","agentId":"main","turnId":0,"reason":"failed","error":{"code":"provider.rate_limit","message":"slow down","details":{"statusCode":429}},"time":1800}`, `
1: turn-start kimi/ turn=1 at=1970-01-01T00:00:01.500Z
3: todos kimi/ turn=1 at=1970-01-01T00:00:01.700Z todo=c source=kimi {completed "A" native=done}
4: turn-end kimi/ turn=1 at=1970-01-01T00:00:01.800Z failed tools=0 class=rate_limit
`},
		{"another file follows a turn without an end; a list that no call wrote, and a store of another kind", asks + writes + `{"type":"metadata","protocol_version":"1.5","created_at":1}
{"type":"tools.update_store","agentId":"main","key":"notepad","value":"x","time":1900}
{"type":"tools.update_store","agentId":"main","key":"todo","value":[{"title":"B","status":"pending"}],"time":1900}
`, `
1: turn-start kimi/ turn=1 at=1970-01-01T00:00:01.500Z
3: turn-end kimi/ turn=1 cut_off tools=0 class=cut_off
5: todos kimi/ turn=1 at=1970-01-01T00:00:01.900Z source=kimi {pending "B"}
warning kimi TodoList c was called, and no result tells whether it was accepted: not applied
`},
	} {
		c.run(t)
	}
}

func TestOpencodeExportTraps(t *testing.T) {
	const user, part = `{"info":{"role":"user","time":{"created":1000}},"parts":[{"type":"text","text":"go"}]}`, `"messageID":"m","sessionID":"ses_1"}`
	message := func(info string, parts string) string {
		return `,{"info":{"role":"assistant","time":{"created":2000,"completed":3000}` + info + `},"parts":[` + parts + `]}`
	}
	for _, c := range []trap{
		{"interrupted, refused, still running", `{"info":{"id":"ses_1"},"messages":[` + user +
			message(`,"error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}`, `{"type":"step-start",`+part+`,{"type":"tool","tool":"bash","callID":"b","state":{"status":"completed"},`+part) + `,` + user +
			message("", `{"type":"step-start",`+part+`,{"type":"tool","tool":"todowrite","callID":"t","state":{"status":"error","error":"no"},`+part+`,{"type":"tool","tool":"todowrite","callID":"u","state":{"status":"running"},`+part) + `]}`, `
1: turn-start opencode/ses_1 turn=1 at=1970-01-01T00:00:01.000Z
1: turn-end opencode/ses_1 turn=1 at=1970-01-01T00:00:03.000Z aborted tools=1
1: turn-start opencode/ses_1 turn=2 at=1970-01-01T00:00:01.000Z
1: turn-end opencode/ses_1 turn=2 cut_off tools=0 class=cut_off
warning opencode ses_1: todowrite t was rejected by the agent: "no"
warning opencode ses_1: todowrite u was called, and no result tells whether it was accepted: not applied
`},
		{"any other program's object of that form", `{"info":{"id":"7"},"messages":[]}` + "\n" + `{"info":{"id":"ses_1"},"messages":{}}`, "\n"},
	} {
		c.run(t)
	}
}

func TestCursorTodosTraps(t *testing.T) {
	trap{"a change of a list that is not known, an empty list, none", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hm"}}}}
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
`}.run(t)
}
