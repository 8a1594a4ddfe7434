package acp_test

import (
	"io"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// TestUsageCounts checks that the cost of a turn is the growth of the session's total, and that its tokens are those in its answer.
func TestUsageCounts(t *testing.T) {
	turn := func(id, update, usage string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":100,"size":1000,"cost":` + update + `}}}
{"jsonrpc":"2.0","id":` + id + `,"result":{"stopReason":"end_turn"` + usage + `}}
`
	}
	input := turn("1", `{"amount":0.5,"currency":"USD"}`, `,"usage":{"totalTokens":130,"inputTokens":100,"outputTokens":20,"cachedReadTokens":10}`) +
		turn("2", `{"amount":0.75,"currency":"USD"}`, ``) +
		turn("3", `{"amount":9,"currency":"credits"}`, ``) +
		turn("4", `null`, `,"usage":null`)
	r := agents.NewReader(strings.NewReader(input), stream.Options{})
	var got []continuation.Usage
	for {
		updates, err := r.Next()
		if err == io.EOF {
			break
		}
		for _, u := range updates {
			if u.Event.Type == continuation.TurnEnd {
				got = append(got, u.Event.Usage)
			}
		}
	}
	want := []continuation.Usage{{Input: 110, Output: 20, Cached: 10, Cost: 500_000}, {Cost: 250_000}, {}, {}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("turn %d: got %+v, want %+v", i+1, got[i], want[i])
		}
	}
}
