package opencode_test

import (
	"testing"

	"onward/test/streamtest"
)

func TestOpencodeExportTraps(t *testing.T) {
	const user, part = `{"info":{"role":"user","time":{"created":1000}},"parts":[{"type":"text","text":"go"}]}`, `"messageID":"m","sessionID":"ses_1"}`
	message := func(info string, parts string) string {
		return `,{"info":{"role":"assistant","time":{"created":2000,"completed":3000}` + info + `},"parts":[` + parts + `]}`
	}
	for _, c := range []streamtest.Trap{
		{"interrupted, refused, still running", `{"info":{"id":"ses_1"},"messages":[` + user +
			message(`,"error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}`, `{"type":"step-start",`+part+`,{"type":"tool","tool":"bash","callID":"b","state":{"status":"completed"},`+part) + `,` + user +
			message("", `{"type":"step-start",`+part+`,{"type":"tool","tool":"todowrite","callID":"t","state":{"status":"error","error":"no"},`+part+`,{"type":"tool","tool":"todowrite","callID":"u","state":{"status":"running"},`+part) + `]}`, `
1: turn-start opencode/ses_1 turn=1 at=1970-01-01T00:00:01.000Z
1: turn-end opencode/ses_1 turn=1 at=1970-01-01T00:00:03.000Z aborted tools=1
1: turn-start opencode/ses_1 turn=2 at=1970-01-01T00:00:01.000Z
1: turn-end opencode/ses_1 turn=2 cut_off tools=0 class=cut_off
warning opencode ses_1: todowrite t was rejected by the agent: "no"
warning opencode ses_1: todowrite u was called, but the stream does not show its result: not applied
`},
		{"a step that ends with stop, although it has a call", `{"info":{"id":"ses_1"},"messages":[` + user +
			message("", `{"type":"step-start",`+part+`,{"type":"tool","tool":"bash","callID":"b","state":{"status":"completed"},`+part+`,{"type":"step-finish","reason":"stop",`+part) +
			message("", `{"type":"step-start",`+part+`,{"type":"step-finish","reason":"stop",`+part) + `,` + user +
			message("", `{"type":"step-start",`+part+`,{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed"},`+part+`,{"type":"step-finish","reason":"stop",`+part) + `]}`, `
1: turn-start opencode/ses_1 turn=1 at=1970-01-01T00:00:01.000Z
1: turn-end opencode/ses_1 turn=1 at=1970-01-01T00:00:03.000Z done tools=1
1: turn-start opencode/ses_1 turn=2 at=1970-01-01T00:00:01.000Z
1: turn-end opencode/ses_1 turn=2 at=1970-01-01T00:00:03.000Z done tools=1
`},
		{"an object of another program with the same form", `{"info":{"id":"7"},"messages":[]}` + "\n" + `{"info":{"id":"ses_1"},"messages":{}}`, "\n"},
	} {
		c.Run(t)
	}
}
