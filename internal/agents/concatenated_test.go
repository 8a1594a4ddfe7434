package agents_test

import (
	"testing"

	"onward/test/streamtest"
)

// TestConcatenatedRunsOfAgents reads runs of different agents as one input. A run that was killed ends when the next one
// starts, and a line that both agents could have written belongs to the current run.
func TestConcatenatedRunsOfAgents(t *testing.T) {
	streamtest.Trap{"together", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"error","message":"x"}
{"type":"init","timestamp":"","session_id":"g","model":"m"}
{"type":"error","timestamp":"","severity":"warning","message":"x"}
{"type":"result","timestamp":"","status":"success"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
4: turn-start openai-codex/a turn=1
6: turn-end openai-codex/a turn=1 cut_off tools=0 class=cut_off
6: turn-start google-gemini/g turn=1
8: turn-end google-gemini/g turn=1 done tools=0
9: turn-start claude-code/s turn=2
11: turn-end claude-code/s turn=2 done tools=0
`}.Run(t)
	streamtest.Trap{"a notice of a transcript within another agent's turn", streamtest.QwenInit + `
{"type":"system","subtype":"turn_duration","uuid":"u","sessionId":"t","version":"2.1"}
`, `
1: turn-start qwen-code/q turn=1
2: turn-end qwen-code/q turn=1 cut_off tools=0 class=cut_off
`}.Run(t)
}
