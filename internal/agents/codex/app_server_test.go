package codex_test

import (
	"testing"

	"onward/test/streamtest"
)

func TestAppServerTraps(t *testing.T) {
	line := func(method, thread, more string) string {
		return `{"method":"` + method + `","params":{"threadId":"` + thread + `"` + more + `},"emittedAtMs":1762517060816}` + "\n"
	}
	plan := func(thread, step, status string) string {
		return line("turn/plan/updated", thread, `,"turnId":"u","plan":[{"step":"`+step+`","status":"`+status+`"}]`)
	}
	begins := func(thread string) string {
		return line("turn/started", thread, `,"turn":{"id":"u","status":"inProgress"}`)
	}
	ends := func(thread, status, more string) string {
		return line("turn/completed", thread, `,"turn":{"id":"u","status":"`+status+`"`+more+`}`)
	}
	call := func(thread, method string) string {
		return line(method, thread, `,"item":{"type":"commandExecution","id":"c"}`)
	}
	for _, c := range []streamtest.Trap{
		{"two concurrent threads, and a call with two lines", begins("a") + begins("b") + plan("a", "A", "inProgress") + call("b", "item/started") + call("b", "item/completed") + plan("b", "B", "pending") + ends("b", "completed", "") + ends("a", "interrupted", ""), `
1: turn-start openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z
2: turn-start openai-codex/b turn=1 at=2025-11-07T12:04:20.816Z
3: todos openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z todo=u source=codex {in_progress "A" native=inProgress}
6: todos openai-codex/b turn=1 at=2025-11-07T12:04:20.816Z todo=u source=codex {pending "B"}
7: turn-end openai-codex/b turn=1 at=2025-11-07T12:04:20.816Z done tools=1
8: turn-end openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z aborted tools=0
`},
		{"a usage limit, which is reported twice", begins("a") + line("error", "a", `,"willRetry":false,"error":{"message":"no","codexErrorInfo":"usageLimitExceeded"}`) + ends("a", "failed", `,"error":{"message":"no","codexErrorInfo":"usageLimitExceeded"}`), `
1: turn-start openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z
3: turn-end openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z failed tools=0 class=rate_limit
`},
		{"a class of errors with a status", begins("a") + ends("a", "failed", `,"error":{"message":"lost","codexErrorInfo":{"httpConnectionFailed":{"httpStatusCode":503}}}`), `
1: turn-start openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z
2: turn-end openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z failed tools=0 class=server
`},
		{"a thread that another thread started", `{"method":"thread/started","params":{"thread":{"id":"a","parentThreadId":null}}}` + "\n" + begins("a") +
			`{"method":"thread/started","params":{"thread":{"id":"s","parentThreadId":"a"}}}` + "\n" + plan("s", "S", "completed") + ends("a", "completed", ""), `
2: turn-start openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z
4: todos openai-codex/a+s turn=0 at=2025-11-07T12:04:20.816Z todo=u source=codex {completed "S"}
5: turn-end openai-codex/a turn=1 at=2025-11-07T12:04:20.816Z done tools=0
`},
	} {
		c.Run(t)
	}
}
