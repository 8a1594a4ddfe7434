package droid_test

import (
	"strings"
	"testing"

	"onward/test/streamtest"
)

func TestDroidTraps(t *testing.T) {
	const (
		session = `"timestamp":1762517060816,"session_id":"d"}` + "\n"
		asks    = `{"type":"message","role":"user","id":"m1","text":"go",` + session
		writes  = `{"type":"tool_call","id":"w","messageId":"m2","toolId":"TodoWrite","toolName":"TodoWrite","parameters":{"todos":"1. [done] A\n\n2. [someday] B"},` + session
		accepts = `{"type":"tool_result","id":"w","messageId":"m3","toolId":"TodoWrite","isError":false,"value":"TODO List Updated",` + session
		ends    = `{"type":"completion","finalText":"x\nONWARD-PAUSE: no key","numTurns":1,"durationMs":1,` + session
	)
	for _, c := range []streamtest.Trap{
		{"a duplicated end, an unknown status", asks + writes + accepts + ends + ends, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
3: todos droid/d turn=1 at=2025-11-07T12:04:20.816Z todo=w source=droid {completed "A" native=done}
4: pause droid/d turn=1 at=2025-11-07T12:04:20.816Z "no key"
4: turn-end droid/d turn=1 at=2025-11-07T12:04:20.816Z done tools=0
warning droid d: item 2 of a list is left out: its status is "someday"
warning droid d: the end of a turn is duplicated
`},
		{"an item of several lines, and a text that is not a list", asks + strings.Replace(writes, `2. [someday] B`, `2. [pending] B [1]\n   - of two\n3. [pending] C`, 1) + accepts + strings.Replace(writes, `1. [done] A`, `Tasks:\n1. [done] A`, 1) + accepts, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
3: todos droid/d turn=1 at=2025-11-07T12:04:20.816Z todo=w source=droid {completed "A" native=done, pending "B [1]\n- of two", pending "C"}
0: turn-end droid/d turn=1 cut_off tools=0 class=cut_off
warning droid d: "w" was accepted, but holds no list
`},
		{"it fails, with a call that was never answered", asks + writes + `{"type":"error","source":"cli","message":"429 too many requests",` + session, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
0: turn-end droid/d turn=1 failed tools=0 class=rate_limit
warning droid d: TodoWrite w was called, but the stream does not show its result: not applied
`},
		{"a result without an id belongs to the only call of its tool", asks + writes + strings.Replace(accepts, `"id":"w",`, "", 1) + ends, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
3: todos droid/d turn=1 at=2025-11-07T12:04:20.816Z todo=w source=droid {completed "A" native=done}
4: pause droid/d turn=1 at=2025-11-07T12:04:20.816Z "no key"
4: turn-end droid/d turn=1 at=2025-11-07T12:04:20.816Z done tools=0
warning droid d: item 2 of a list is left out: its status is "someday"
`},
		{"a result without an id is ignored if there are two calls, or if it is of another tool", asks + writes + strings.Replace(writes, `"id":"w"`, `"id":"v"`, 1) + strings.Replace(accepts, `"id":"w",`, "", 1) +
			strings.NewReplacer(`"id":"w",`, "", `"toolId":"TodoWrite","toolName"`, `"toolId":"Execute","toolName"`, `"toolId":"TodoWrite","isError"`, `"toolId":"Execute","isError"`).Replace(accepts) + ends, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
6: pause droid/d turn=1 at=2025-11-07T12:04:20.816Z "no key"
6: turn-end droid/d turn=1 at=2025-11-07T12:04:20.816Z done tools=0
warning droid d: TodoWrite w was called, but the stream does not show its result: not applied
warning droid d: TodoWrite v was called, but the stream does not show its result: not applied
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
		{"a killed run, and another one", asks + asks, `
1: turn-start droid/d turn=1 at=2025-11-07T12:04:20.816Z
2: turn-end droid/d turn=1 cut_off tools=0 class=cut_off
2: turn-start droid/d turn=2 at=2025-11-07T12:04:20.816Z
0: turn-end droid/d turn=2 cut_off tools=0 class=cut_off
`},
	} {
		c.Run(t)
	}
}
