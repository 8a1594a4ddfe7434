package claude

import (
	"strings"
	"testing"
	"time"

	"onward/internal/agents/hook"
	"onward/internal/agents/stream"
)

// TestPromptIsContextWhereThatContinues checks which versions get the prompt as context, which they do not show as an error.
func TestPromptIsContextWhereThatContinues(t *testing.T) {
	for version, context := range map[string]bool{
		"2.1.163": true, "2.1.330": true, "2.2": true, "3.0.0": true,
		"2.1.162": false, "1.9.999": false, "": false, "2.1.x": false, "new": false,
	} {
		got := protocol.Write(hook.Call{Kind: hook.Stop, Event: "Stop", Version: version}, hook.Answer{Prompt: "go on"})
		if strings.Contains(got.Stdout, `"additionalContext":"go on"`) != context || strings.Contains(got.Stdout, `"decision":"block"`) == context {
			t.Errorf("%q: %s", version, got.Stdout)
		}
	}
	if got := protocol.Write(hook.Call{Kind: hook.SubagentStop, Event: "SubagentStop", Version: "2.1.330"}, hook.Answer{Prompt: "go on"}); !strings.Contains(got.Stdout, `"decision":"block"`) {
		t.Errorf("a sub-agent: %s", got.Stdout)
	}
}

// TestVersionInTheConversation checks that the version is that of the last line that has one.
func TestVersionInTheConversation(t *testing.T) {
	for tail, want := range map[string]string{
		`{"version":"2.1.1"}` + "\n" + `{"version":"2.1.2"}` + "\n" + `{"type":"mode"}` + "\n": "2.1.2",
		`ersion":"1"}` + "\n" + `{"version":"2 1\u001b"}`:                                      "2?1?",
		`{"text":"\"version\":\"9\""}`:                                                         "",
		"":                                                                                     "",
	} {
		if got := hook.VersionIn([]byte(tail)); got != want {
			t.Errorf("%q: %q", tail, got)
		}
	}
}

// TestLimitOfTheTranscript checks that the end of a limit is the exact one of the conversation's file, if the event's turn met it.
func TestLimitOfTheTranscript(t *testing.T) {
	const met = `{"type":"assistant","sessionId":"s","isApiErrorMessage":true,"message":{"role":"assistant","content":[{"type":"text","text":"You've hit your weekly limit · resets 11am (Asia/Seoul)"}]},"error":"rate_limit","quotaLimits":{"status":"rejected","resetsAt":1789956000,"rateLimitType":"seven_day"}}`
	now := time.Date(2026, 9, 20, 2, 20, 0, 0, time.UTC)
	for _, c := range []struct{ name, tail, event, want string }{
		{"met", met, `"rate_limit"`, "2026-09-21T02:00:00.000Z"},
		{"met, before notes of the program", met + "\n" + `{"type":"last-prompt","sessionId":"s"}` + "\n", `"rate_limit"`, "2026-09-21T02:00:00.000Z"},
		{"of an earlier turn", met + "\n" + `{"type":"user","message":{"role":"user","content":"go on"}}`, `"rate_limit"`, "2026-09-20T05:00:00.000Z"},
		{"allowed", strings.Replace(met, "rejected", "allowed_warning", 1), `"rate_limit"`, "2026-09-20T05:00:00.000Z"},
		{"no file", "", `"rate_limit"`, "2026-09-20T05:00:00.000Z"},
		{"another failure", met, `"authentication_failed"`, "1970-01-01T00:00:00.000Z"},
	} {
		around := hook.EventContext{Tail: func(path string) []byte {
			if path != "/t.jsonl" {
				t.Errorf("%s: reads %q", c.name, path)
			}
			return []byte(c.tail)
		}}
		call, err := protocol.ReadWith(around, []byte(`{"hook_event_name":"StopFailure","session_id":"s","transcript_path":"/t.jsonl","error":`+c.event+`,"last_assistant_message":"You've hit your session limit · resets 2pm (Asia/Seoul)"}`), nil, func(yield func(*stream.FailureTexts) bool) { yield(&texts) })
		if err != nil || len(call.Events) != 1 {
			t.Fatalf("%s: %v, %+v", c.name, err, call.Events)
		}
		if got := call.Events[0].Reset.Instant(now); got.String() != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
