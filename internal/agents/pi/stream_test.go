package pi_test

import (
	"testing"

	"onward/test/streamtest"
)

func TestPiTraps(t *testing.T) {
	streamtest.Trap{"a session of 2025, without a version and without ids of messages", `
{"type":"session","id":"p","timestamp":"2025-12-17T19:39:21.535Z","cwd":"/w","provider":"anthropic","modelId":"claude-opus-4-5","thinkingLevel":"off"}
{"type":"message","timestamp":"2025-12-17T19:39:17.548Z","message":{"role":"user","content":[{"type":"text","text":"hi"}],"timestamp":1766000357548}}
{"type":"message","timestamp":"2025-12-17T19:39:27.548Z","message":{"role":"assistant","content":[],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-5","stopReason":"aborted","timestamp":1766000367548}}
`, `
2: turn-start pi/p turn=1 at=2025-12-17T19:39:17.548Z
0: turn-end pi/p turn=1 aborted tools=0
`}.Run(t)
}
