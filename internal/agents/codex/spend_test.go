package codex

import (
	"os"
	"path/filepath"
	"testing"

	continuation "onward/internal/continue"
)

// TestSpend reads the total of a thread from the end of its file, whose last line may be half written, and knows nothing where
// there is no such file.
func TestSpend(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "sessions", "2026", "11", "26", "rollout-2026-11-26T23-26-22-01a21a2e.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	const count = `{"timestamp":"2026-11-26T23:26:22.309Z","ordinal":14,"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":30100,"cached_input_tokens":100,"output_tokens":20,"total_tokens":30120}},"rate_limits":null}}` + "\n"
	want := continuation.Usage{Input: 30100, Cached: 100, Output: 20, Thread: "01a21a2e"}
	for name, text := range map[string]string{
		"a count":                         count,
		"lines after it":                  count + `{"type":"event_msg","payload":{"type":"agent_message","message":"the \"token_count\" grows"}}` + "\n",
		"a count without totals after it": count + `{"type":"event_msg","payload":{"type":"token_count","info":null}}` + "\n",
		"a line that is half written":     count + count[:len(count)/2],
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, known := Spend(home, "01a21a2e"); !known || got != want {
			t.Errorf("%s: got %+v, %t", name, got, known)
		}
	}
	for _, thread := range []string{"", "another", "../01a21a2e", "*"} {
		if got, known := Spend(home, thread); known {
			t.Errorf("thread %q: got %+v", thread, got)
		}
	}
}
