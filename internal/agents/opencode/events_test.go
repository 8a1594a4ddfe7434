package opencode_test

import (
	"testing"

	"onward/test/streamtest"
)

// TestEventTraps reads the events of a server with concurrent sessions, with sub-agents, and with turns that fail or are aborted.
func TestEventTraps(t *testing.T) {
	event := func(typ, session, more string) string {
		return `{"id":"evt_1","type":"` + typ + `","properties":{"sessionID":"` + session + `"` + more + `}}` + "\n"
	}
	busy := func(session string) string { return event("session.status", session, `,"status":{"type":"busy"}`) }
	list := func(session, text string) string {
		return event("todo.updated", session, `,"todos":[{"content":"`+text+`","status":"pending","priority":"high"}]`)
	}
	tool := func(session, state string) string {
		return event("message.part.updated", session, `,"part":{"type":"tool","tool":"bash","callID":"c","state":{"status":"`+state+`"}}`)
	}
	for _, c := range []streamtest.Trap{
		{"two concurrent sessions", busy("ses_1") + busy("ses_2") + list("ses_1", "one") + list("ses_2", "two") + event("session.idle", "ses_1", "") + event("session.idle", "ses_2", ""), `
1: turn-start opencode/ses_1 turn=1
2: turn-start opencode/ses_2 turn=1
3: todos opencode/ses_1 turn=1 todo=todo.updated source=opencode {pending "one" !high}
4: todos opencode/ses_2 turn=1 todo=todo.updated source=opencode {pending "two" !high}
5: turn-end opencode/ses_1 turn=1 done tools=0
6: turn-end opencode/ses_2 turn=1 done tools=0
`},
		{"an interrupt, and a call with three events", busy("ses_1") + tool("ses_1", "pending") + tool("ses_1", "running") + tool("ses_1", "completed") + event("session.error", "ses_1", `,"error":{"name":"MessageAbortedError","data":{"message":""}}`) + event("session.idle", "ses_1", ""), `
1: turn-start opencode/ses_1 turn=1
5: turn-end opencode/ses_1 turn=1 aborted tools=1
`},
		{"a status alone ends a turn, and both end one", busy("ses_1") + event("session.status", "ses_1", `,"status":{"type":"idle"}`) + event("session.idle", "ses_1", "") + busy("ses_1") + event("session.status", "ses_1", `,"status":{"type":"idle"}`), `
1: turn-start opencode/ses_1 turn=1
2: turn-end opencode/ses_1 turn=1 done tools=0
4: turn-start opencode/ses_1 turn=2
5: turn-end opencode/ses_1 turn=2 done tools=0
`},
		{"a usage limit", busy("ses_1") + event("session.error", "ses_1", `,"error":{"name":"APIError","data":{"message":"too many requests","statusCode":429}}`), `
1: turn-start opencode/ses_1 turn=1
2: turn-end opencode/ses_1 turn=1 failed tools=0 class=rate_limit
`},
		{"a session that another session started", busy("ses_1") + event("session.created", "ses_2", `,"info":{"id":"ses_2","parentID":"ses_1"}`) + list("ses_2", "a part") + event("session.idle", "ses_1", ""), `
1: turn-start opencode/ses_1 turn=1
3: todos opencode/ses_1+ses_2 turn=0 todo=todo.updated source=opencode {pending "a part" !high}
4: turn-end opencode/ses_1 turn=1 done tools=0
`},
	} {
		c.Run(t)
	}
}
