package codex

import (
	"strings"
	"testing"

	continuation "onward/internal/continue"
)

// TestSpend reads the total of a thread from the end of its file, whose first and last line may not be complete.
func TestSpend(t *testing.T) {
	const count = `{"timestamp":"2026-11-26T23:26:22.309Z","ordinal":14,"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":30100,"cached_input_tokens":100,"output_tokens":20,"total_tokens":30120}},"rate_limits":null}}` + "\n"
	want := continuation.Usage{Input: 30100, Cached: 100, Output: 20, Thread: "01a21a2e"}
	for name, text := range map[string]string{
		"a count":                         count,
		"lines after it":                  count + `{"type":"event_msg","payload":{"type":"agent_message","message":"the \"token_count\" grows"}}` + "\n",
		"a count without totals after it": count + `{"type":"event_msg","payload":{"type":"token_count","info":null}}` + "\n",
		"a line that is half written":     count + count[:len(count)/2],
		"a line that is half read":        count[len(count)/2:] + count,
	} {
		if got, known := spend.Total([]byte(text), "01a21a2e"); !known || got != want {
			t.Errorf("%s: got %+v, %t", name, got, known)
		}
	}
	for _, text := range []string{"", "\n", count[:len(count)/2], count[len(count)/2:]} {
		if got, known := spend.Total([]byte(text), "01a21a2e"); known {
			t.Errorf("%q: got %+v", text, got)
		}
	}
	for thread, want := range map[string]string{"": "", "../01a21a2e": "", "*": "", "01a21a2e": "sessions/*/*/*/rollout-*-01a21a2e.jsonl"} {
		if got := strings.Join(spend.Patterns(thread), " "); got != want {
			t.Errorf("the files of thread %q are %q", thread, got)
		}
	}
}
