package agent

import (
	"errors"
	"io"
	"strings"
	"testing"

	continuation "onward/internal/continue"
)

// TestUsage adds up what recordings report of tokens and money. Claude Code's second result repeats
// the cost of the first, because it counts the process.
func TestUsage(t *testing.T) {
	for name, want := range map[string]continuation.Usage{
		"claude/stream-tasks.jsonl":     {Input: 1100, Output: 220, Cost: 8400},
		"claude/stream-todowrite.jsonl": {Input: 900, Output: 180, Cost: 7200},
		"codex/exec-ok.jsonl":           {Input: 700, Output: 140, Cached: 70},
		"gemini/stream-ok.jsonl":        {Input: 800, Output: 160},
		"opencode/run.jsonl":            {Input: 500, Output: 100},
		"qwen/stream.jsonl":             {Input: 500, Output: 100},
	} {
		if got := used(t, recording(t, name)); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// TestInvalidUsage counts nothing where a stream has no number, or one that cannot be.
func TestInvalidUsage(t *testing.T) {
	for _, bad := range []string{`"many"`, `-3`, `1e300`, `99999999999999999999`, `{}`, `null`, `"NaN"`} {
		stream := `{"type":"step_start","timestamp":1,"sessionID":"o","part":{}}
{"type":"step_finish","timestamp":2,"sessionID":"o","part":{"reason":"stop","tokens":{"input":` + bad + `,"output":` + bad + `},"cost":` + bad + `}}
`
		if got := used(t, stream); got != (continuation.Usage{}) {
			t.Errorf("%s: got %+v", bad, got)
		}
	}
}

func used(t *testing.T, stream string) (all continuation.Usage) {
	t.Helper()
	r := NewReader(strings.NewReader(stream), Options{})
	for {
		updates, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range updates {
			all.Add(u.Event.Usage)
		}
	}
}
