package qwen_test

import (
	"fmt"
	"strings"
	"testing"

	"onward/test/streamtest"
)

// chatRecord returns a line of a chat as Qwen Code 0.24 writes it, with the members that all lines have, and more.
func chatRecord(n int, typ, provenance, more string) string {
	return fmt.Sprintf(`{"uuid":"u%d","parentUuid":"u%d","sessionId":"q","timestamp":"2026-10-01T10:00:%02d.000Z","type":"%s","provenance":"%s","cwd":"/p","version":"0.24.7","gitBranch":"main",%s}`+"\n",
		n, n-1, n, typ, provenance, more)
}

func TestQwenChatTraps(t *testing.T) {
	said := func(n int, text string) string {
		return chatRecord(n, "user", "real_user", `"message":{"role":"user","parts":[{"text":"`+text+`"}]}`)
	}
	parts := func(n int, parts string) string {
		return chatRecord(n, "assistant", "assistant_output", `"model":"qwen3-coder-plus","message":{"role":"model","parts":[`+parts+`]}`)
	}
	call := func(id, list string) string {
		return `{"functionCall":{"id":"` + id + `","name":"todo_write","args":{"todos":[` + list + `]}}}`
	}
	result := func(n int, id, response, status string) string {
		return chatRecord(n, "tool_result", "tool_result",
			`"message":{"role":"user","parts":[{"functionResponse":{"id":"`+id+`","name":"todo_write","response":{`+response+`}}}]},"toolCallResult":{"callId":"`+id+`","status":"`+status+`"}`)
	}
	const (
		a = `{"id":"1","content":"A","status":"in_progress"}`
		b = `{"id":"1","content":"A","status":"completed"}`
	)
	note := chatRecord(9, "system", "system", `"subtype":"custom_title","systemPayload":{"customTitle":"Run tests"}`)
	for _, c := range []streamtest.Trap{
		{"a list counts when its result reports success; the last message ends the turn", said(1, "go") +
			parts(2, `{"text":"hm","thought":true},{"text":"Working."},{"functionCall":{"id":"s","name":"run_shell_command","args":{}}},`+call("w1", a)) +
			result(3, "s", `"output":"ok"`, "success") + result(4, "w1", `"output":"Todos have been modified successfully."`, "success") + note +
			parts(5, `{"text":"Done."}`) + said(6, "more") + parts(7, call("w2", b)) + result(8, "w2", `"error":"no"`, "error"), `
1: turn-start qwen-code/q turn=1 at=2026-10-01T10:00:01.000Z
4: todos qwen-code/q turn=1 at=2026-10-01T10:00:04.000Z todo=w1 source=qwen {#1 in_progress "A"}
7: turn-end qwen-code/q turn=1 done tools=1
7: turn-start qwen-code/q turn=2 at=2026-10-01T10:00:06.000Z
0: turn-end qwen-code/q turn=2 cut_off tools=0 class=cut_off
warning qwen q: todo_write w2 was rejected by the agent: "no"
`},
		{"a missing id; the user cancels; a message that no user wrote starts no turn", said(1, "go") +
			strings.Replace(parts(2, call("", a)), `"id":"",`, "", 1) +
			strings.Replace(result(3, "", `"output":"ok"`, "success"), `"id":"",`, "", 1) +
			chatRecord(4, "user", "notification", `"message":{"role":"user","parts":[{"text":"a task ended"}]}`) +
			parts(5, call("w2", b)) + result(6, "w2", `"error":"[Operation Cancelled]"`, "cancelled"), `
1: turn-start qwen-code/q turn=1 at=2026-10-01T10:00:01.000Z
3: todos qwen-code/q turn=1 at=2026-10-01T10:00:03.000Z source=qwen {#1 in_progress "A"}
0: turn-end qwen-code/q turn=1 aborted tools=0
warning qwen q: todo_write w2 was rejected by the agent: "[Operation Cancelled]"
`},
		{"a sub-agent has its own list, and does not belong to the turn", said(1, "go") +
			strings.Replace(parts(2, call("w1", a)), `"cwd"`, `"isSidechain":true,"agentId":"explorer","cwd"`, 1) +
			strings.Replace(result(3, "w1", `"output":"ok"`, "success"), `"cwd"`, `"isSidechain":true,"agentId":"explorer","cwd"`, 1) +
			parts(4, `{"text":"Done.\nONWARD-PAUSE: no key"}`), `
1: turn-start qwen-code/q turn=1 at=2026-10-01T10:00:01.000Z
3: todos qwen-code/q+explorer turn=1 at=2026-10-01T10:00:03.000Z todo=w1 source=qwen {#1 in_progress "A"}
0: pause qwen-code/q turn=1 "no key"
0: turn-end qwen-code/q turn=1 done tools=0
`},
		{"the lines of a transcript of Claude Code in the same input stay that agent's", streamtest.Prompted("u1", "null", "one") + said(1, "go") + parts(2, call("w1", a)) +
			result(3, "w1", `"output":"ok"`, "success") + note + streamtest.Prompted("u2", "u1", "two"), `
1: turn-start claude-code/s turn=1
2: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
2: turn-start qwen-code/q turn=1 at=2026-10-01T10:00:01.000Z
4: todos qwen-code/q turn=1 at=2026-10-01T10:00:03.000Z todo=w1 source=qwen {#1 in_progress "A"}
6: turn-start claude-code/s turn=2
0: turn-end claude-code/s turn=2 cut_off tools=0 class=cut_off
0: turn-end qwen-code/q turn=1 cut_off tools=0 class=cut_off
`},
	} {
		c.Run(t)
	}
}
