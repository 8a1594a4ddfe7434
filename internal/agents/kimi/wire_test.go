package kimi_test

import (
	"testing"

	"onward/test/streamtest"
)

func TestKimiWireTraps(t *testing.T) {
	const (
		asks   = `{"type":"turn.prompt","agentId":"main","input":[],"origin":{"kind":"user"},"turnId":0,"time":1500}` + "\n"
		writes = `{"type":"context.append_loop_event","agentId":"main","event":{"type":"tool.call","toolCallId":"c","name":"TodoList","args":{"todos":[{"title":"A","status":"done"}]}},"time":1600}` + "\n"
		result = `{"type":"context.append_loop_event","agentId":"main","event":{"type":"tool.result","toolCallId":"c","result":{"output":"Todo list updated."}},"time":1700}` + "\n"
	)
	for _, c := range []streamtest.Trap{
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
warning kimi TodoList c was called, but the stream does not show its result: not applied
`},
	} {
		c.Run(t)
	}
}
