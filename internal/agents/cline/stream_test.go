package cline_test

import (
	"testing"

	"onward/test/streamtest"
)

// TestClineEnds reads runs that end in different ways.
func TestClineEnds(t *testing.T) {
	run := func(task, reason string) string {
		return `{"type":"hook_event","ts":"2026-10-09T12:00:00.000Z","hookEventName":"agent_start","agentId":"a","taskId":"` + task + `","parentAgentId":null}
{"type":"run_result","ts":"2026-10-09T12:00:01.000Z","finishReason":"` + reason + `","iterations":1,"text":""}
`
	}
	streamtest.Trap{"completed, at the limit of the user, interrupted, failed", run("c", "completed") + run("m", "max_iterations") + run("i", "aborted") + run("f", "error"), `
1: turn-start cline/c turn=1 at=2026-10-09T12:00:00.000Z
2: turn-end cline/c turn=1 at=2026-10-09T12:00:01.000Z done tools=0
3: turn-start cline/m turn=1 at=2026-10-09T12:00:00.000Z
4: turn-end cline/m turn=1 at=2026-10-09T12:00:01.000Z done tools=0
5: turn-start cline/i turn=1 at=2026-10-09T12:00:00.000Z
6: turn-end cline/i turn=1 at=2026-10-09T12:00:01.000Z aborted tools=0
7: turn-start cline/f turn=1 at=2026-10-09T12:00:00.000Z
8: turn-end cline/f turn=1 at=2026-10-09T12:00:01.000Z failed tools=0 class=unknown
`}.Run(t)
}
