package llxprt_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/llxprt"
	"onward/internal/agents/stream"
	"onward/test/streamtest"
)

func TestLLxprtTraps(t *testing.T) {
	const (
		init = `{"type":"init","timestamp":"","session_id":"l","model":"m"}` + "\n"
		list = `{"type":"tool_use","timestamp":"","tool_name":"todo_write","tool_id":"w1","parameters":{"todos":[{"id":1,"content":"A","status":"in_progress","priority":"high","subtasks":[{"id":"1a","content":"part"},{"content":" "},7]},{"id":"2","content":"B","status":"cancelled?"}]}}` + "\n"
		done = `{"type":"result","timestamp":"","status":"success"}` + "\n"
	)
	for _, c := range []streamtest.Trap{
		{"a session is read as Gemini CLI's until it calls a tool that Gemini CLI does not have", init + list + `
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success","output":"Todo list updated successfully"}
{"type":"tool_use","timestamp":"","tool_name":"todo_read","tool_id":"r1","parameters":{}}
{"type":"tool_result","timestamp":"","tool_id":"r1","status":"success","output":"- A"}
{"type":"tool_use","timestamp":"","tool_name":"ls","tool_id":"l1","parameters":{}}
` + done, `
1: turn-start google-gemini/l turn=1
3: todos llxprt-code/l turn=1 todo=w1 source=llxprt {#1 in_progress "A" !high}
7: turn-end llxprt-code/l turn=1 done tools=1
warning llxprt l: item 2 of a list is left out: its status is "cancelled?"
`},
		{"a run that ends with an error; a warning, and an error after which the run continues, are not failures", init + `
{"type":"error","timestamp":"","severity":"warning","message":"Loop detected, stopping execution"}
` + init + `
{"type":"error","timestamp":"","severity":"error","message":"busy","status":503}
{"type":"message","timestamp":"","role":"assistant","content":"again","delta":true}
` + init + list + `
{"type":"error","timestamp":"","severity":"error","message":"it broke","status":500,"category":"server_error"}
`, `
1: turn-start google-gemini/l turn=1
3: turn-end google-gemini/l turn=1 cut_off tools=0 class=cut_off
3: turn-start google-gemini/l turn=2
6: turn-end google-gemini/l turn=2 cut_off tools=0 class=cut_off
6: turn-start google-gemini/l turn=3
0: turn-end llxprt-code/l turn=3 failed tools=0 class=server
warning llxprt l: todo_write w1 was called, but the stream does not show its result: not applied
`},
		{"rejected, never answered, cleared", init + list + `
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"error","error":{"type":"invalid_tool_params"}}
{"type":"tool_use","timestamp":"","tool_name":"todo_write","tool_id":"w2","parameters":{"todos":[]}}
{"type":"tool_result","timestamp":"","tool_id":"w2","status":"success"}
{"type":"tool_use","timestamp":"","tool_name":"todo_write","tool_id":"w3","parameters":{"todos":[]}}
`, `
1: turn-start google-gemini/l turn=1
5: todos llxprt-code/l turn=1 todo=w2 source=llxprt {}
0: turn-end llxprt-code/l turn=1 cut_off tools=0 class=cut_off
warning llxprt l: todo_write w1 was rejected by the agent
warning llxprt l: todo_write w3 was called, but the stream does not show its result: not applied
`},
		{"the model pauses with the agent's own tool", init + `
{"type":"tool_use","timestamp":"","tool_name":"todo_pause","tool_id":"p1","parameters":{"reason":"the file\nis missing"}}
{"type":"tool_result","timestamp":"","tool_id":"p1","status":"success"}
{"type":"tool_use","timestamp":"","tool_name":"todo_pause","tool_id":"p2","parameters":{"reason":"no"}}
{"type":"tool_result","timestamp":"","tool_id":"p2","status":"error","error":{"type":"x"}}
` + done, `
1: turn-start google-gemini/l turn=1
3: pause llxprt-code/l turn=1 "the file is missing"
6: turn-end llxprt-code/l turn=1 done tools=0
warning llxprt l: todo_pause p2 was rejected by the agent
`},
	} {
		c.Run(t)
	}
	// If the caller names the format, it is used from the first line on.
	r := agents.NewReader(strings.NewReader(init+list), stream.Options{Format: llxprt.Stream})
	for {
		us, err := r.Next()
		for _, u := range us {
			if u.Kind != llxprt.Kind {
				t.Errorf("%s is %s", u.Event.Type, u.Kind)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
	}
}

func TestSubtasksAreKept(t *testing.T) {
	r := agents.NewReader(strings.NewReader(`{"type":"init","timestamp":"","session_id":"l"}
{"type":"tool_use","tool_name":"todo_write","tool_id":"w","parameters":{"todos":[{"content":"A","status":"pending","subtasks":[{"id":"a","content":" part "}]}]}}
{"type":"tool_result","tool_id":"w","status":"success"}`), stream.Options{})
	for _, u := range streamtest.Drain(t, r) {
		if len(u.Event.Items) == 1 {
			if got := u.Event.Items[0].Subtasks; len(got) != 1 || got[0].Content != "part" || got[0].ID != "a" {
				t.Errorf("subtasks %+v", got)
			}
			return
		}
	}
	t.Error("no list")
}
