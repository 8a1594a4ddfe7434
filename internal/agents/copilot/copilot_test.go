package copilot_test

import (
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/internal/native"
	"onward/internal/todo"
	"onward/test/streamtest"
)

func TestCopilotTraps(t *testing.T) {
	event := func(typ, data string) string {
		return `{"type":"` + typ + `","data":` + data + `,"id":"e","timestamp":"","parentId":"p"}` + "\n"
	}
	for _, c := range []streamtest.Trap{
		{"a file starts with its session; calls of the database, and those of a sub-agent, do not count as work", event("session.start", `{"sessionId":"c1"}`) + event("user.message", `{"content":"go"}`) +
			event("assistant.message", `{"content":"Working.","toolRequests":[{"toolCallId":"t1","name":"bash"}]}`) +
			event("tool.execution_start", `{"toolCallId":"t1","toolName":"bash"}`) + event("tool.execution_start", `{"toolCallId":"t1","toolName":"bash"}`) +
			event("tool.execution_start", `{"toolCallId":"t2","toolName":"sql","arguments":{"query":"SELECT * FROM todos"}}`) +
			event("tool.execution_start", `{"toolCallId":"t3","toolName":"bash","parentToolCallId":"t1"}`) +
			event("assistant.message", `{"content":"Stop.\nONWARD-PAUSE: no key","toolRequests":[]}`) + event("session.shutdown", `{}`), `
2: turn-start copilot/c1 turn=1
9: pause copilot/c1 turn=1 "no key"
9: turn-end copilot/c1 turn=1 done tools=1
warning copilot c1: sql t2 was called, but the stream does not show its result: not applied
`},
		{"the program's own reminders and a sub-agent's prompt are within the user's turn", event("session.start", `{"sessionId":"c1"}`) + event("user.message", `{"content":"go","source":"user"}`) +
			event("user.message", `{"content":"<system_reminder>x","source":"system"}`) +
			strings.Replace(event("user.message", `{"content":"look around"}`), `"id":"e"`, `"id":"e","agentId":"explore-1"`, 1) +
			strings.Replace(event("assistant.message", `{"content":"seen","toolRequests":[]}`), `"id":"e"`, `"id":"e","agentId":"explore-1"`, 1) +
			strings.Replace(event("tool.execution_start", `{"toolCallId":"t1","toolName":"bash"}`), `"id":"e"`, `"id":"e","agentId":"explore-1"`, 1) +
			event("assistant.message", `{"content":"Done.","toolRequests":[]}`) + event("session.shutdown", `{}`), `
2: turn-start copilot/c1 turn=1
8: turn-end copilot/c1 turn=1 done tools=0
`},
		{"killed; failed without a reason; another run", event("user.message", `{}`) + event("assistant.message", `{"content":"","toolRequests":[{"toolCallId":"t1"}]}`) +
			event("user.message", `{}`) + event("assistant.message", `{"content":"x","toolRequests":[]}`) + `
{"type":"result","timestamp":"","sessionId":"c2","exitCode":1,"usage":{}}
` + event("user.message", `{}`) + event("assistant.message", `{"content":"x"}`) + `
{"type":"result","timestamp":"","sessionId":"c3","exitCode":0,"usage":{}}
`, `
1: turn-start copilot/ turn=1
3: turn-end copilot/ turn=1 cut_off tools=0 class=cut_off
3: turn-start copilot/ turn=2
5: turn-end copilot/c2 turn=2 failed tools=0 class=unknown
6: turn-start copilot/ turn=1
8: turn-end copilot/c3 turn=1 done tools=0
`},
		{"the user's interrupt, in a file and in a run that ends with it", event("session.start", `{"sessionId":"c1"}`) +
			event("user.message", `{}`) + event("assistant.message", `{"content":"","toolRequests":[{"toolCallId":"t1"}]}`) +
			event("tool.execution_start", `{"toolCallId":"t1","toolName":"bash"}`) + event("abort", `{"reason":"user_initiated"}`) +
			event("tool.execution_complete", `{"toolCallId":"t1","success":false}`) +
			event("user.message", `{}`) + event("abort", `{"reason":"tool_failure"}`) + event("user.message", `{}`) + event("abort", `{"reason":"user initiated"}`) + `
{"type":"result","timestamp":"","sessionId":"c1","exitCode":130,"usage":{}}
`, `
2: turn-start copilot/c1 turn=1
7: turn-end copilot/c1 turn=1 aborted tools=1
7: turn-start copilot/c1 turn=2
9: turn-end copilot/c1 turn=2 cut_off tools=0 class=cut_off
9: turn-start copilot/c1 turn=3
11: turn-end copilot/c1 turn=3 aborted tools=0
`},
		{"lines of other agents with similar types", event("user.message", `{}`) + `
{"role":"meta","type":"session.resume_hint","session_id":"k1"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone, `
1: turn-start copilot/ turn=1
2: turn-end copilot/ turn=1 cut_off tools=0 class=cut_off
3: turn-start claude-code/s turn=1
5: turn-end claude-code/s turn=1 done tools=0
`},
	} {
		c.Run(t)
	}
}

// TestCopilotContinuesSavedTable reads a run that changes a table of an earlier run: the changes apply
// to the saved list. The table of a new session is empty, even if a list of another session was saved.
func TestCopilotContinuesSavedTable(t *testing.T) {
	for status, want := range map[string]string{
		`"`: `{#b in_progress "B"}`,
		`\n<system_reminder>\n<todo_status>\nTodos: 1 pending (1 total)\n</todo_status>\n</system_reminder>"`: `{#a completed "A" native=done}`,
	} {
		query := "INSERT INTO todos (id, title, status) VALUES ('b', 'B', 'in_progress')"
		if want[2] == 'a' {
			query = "UPDATE todos SET status = 'done' WHERE id = 'a'"
		}
		r := agents.NewReader(strings.NewReader(`{"type":"user.message","data":{"content":"go","transformedContent":"go`+status+`},"id":"e","timestamp":"","parentId":"p"}
{"type":"tool.execution_start","data":{"toolCallId":"t","toolName":"sql","arguments":{"query":"`+query+`"}},"id":"e","timestamp":"","parentId":"p"}
{"type":"tool.execution_complete","data":{"toolCallId":"t","success":true,"result":{"content":"1 row(s)"}},"id":"e","timestamp":"","parentId":"p"}
`), stream.Options{Saved: func(stream.Kind, string) native.SavedList {
			return native.SavedList{Items: []todo.Item{{ID: "a", Content: "A", Status: todo.Pending}}}
		}})
		got := ""
		for _, u := range streamtest.Drain(t, r) {
			got += streamtest.Text(u)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
