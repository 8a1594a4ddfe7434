package stream_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
	"onward/test/streamtest"
)

// carriers are streams of programs in which a turn fails with a text, TEXT.
var carriers = map[string]string{
	"claude": streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"success","is_error":true,"session_id":"s","result":TEXT}`,
	"codex": `{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":TEXT}}`,
	"gemini": `{"type":"init","session_id":"g","timestamp":"2026-10-09T12:30:00.000Z","model":"gemini-3-pro"}
{"type":"result","status":"error","error":{"type":"Error","message":TEXT}}`,
	"opencode": `{"type":"step_start","sessionID":"ses_s","part":{"type":"step-start"}}
{"type":"error","sessionID":"ses_s","error":{"name":"APIError","data":{"message":TEXT}}}`,
	"pi": `{"type":"session","version":3,"id":"s","timestamp":"2026-10-09T12:30:00.000Z","cwd":"/w"}
{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"go on"}]}}
{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[],"provider":"openai","model":"x","stopReason":"error","errorMessage":TEXT}}`,
}

// TestLimitTexts reads texts that programs and hosts have written about limits, and about failures that resemble them: why the
// turn failed, and from when on the host can be asked again, where the text names that.
func TestLimitTexts(t *testing.T) {
	data, err := os.ReadFile("testdata/limits.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	if len(lines) < 300 {
		t.Fatalf("%d texts", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		carrier, class, zone, until, text := f[0], continuation.ErrorClass(f[1]), f[3], f[4], strings.ReplaceAll(f[6], `\n`, "\n")
		now := when(t, f[2], zone)
		want := todo.Time(0)
		if until != "" {
			want = todo.TimeOf(when(t, until, zone))
		}
		if got := agents.FailureTexts().Class(stream.FailureOf("", text, nil)); got != class {
			t.Errorf("%q: class %s, want %s", text, got, class)
		}
		if got := agents.FailureTexts().Reset(text).Instant(now); got != want {
			t.Errorf("%q: until %v, want %v", text, got, want)
		}
		form, ok := carriers[carrier]
		if !ok {
			continue
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		failed := false
		for _, u := range streamtest.Drain(t, agents.NewReader(strings.NewReader(strings.ReplaceAll(form, "TEXT", string(quoted))), stream.Options{})) {
			if u.Event.Type != continuation.TurnEnd {
				continue
			}
			failed = true
			if u.Event.ErrorClass != class || class == continuation.ErrorRateLimit && u.Event.Reset.Instant(now) != want {
				t.Errorf("%s: %q: %s until %v, want %s until %v", carrier, text, u.Event.ErrorClass, u.Event.Reset.Instant(now), class, want)
			}
		}
		if !failed {
			t.Errorf("%s: %q: no turn failed", carrier, text)
		}
	}
}

func when(t *testing.T, text, zone string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	place, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return at.In(place)
}
