package stream_test

import (
	"testing"

	"onward/internal/agents"
	continuation "onward/internal/continue"
	"onward/test/streamtest"
)

// TestResetsOfAgents reads failed turns whose errors name the time when the host accepts requests again.
func TestResetsOfAgents(t *testing.T) {
	const thread = `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
`
	const meta = `
{"timestamp":"2026-10-09T12:00:00.000Z","type":"session_meta","payload":{"id":"r"}}
{"timestamp":"2026-10-09T12:00:00.000Z","type":"event_msg","payload":{"type":"task_started"}}
`
	for _, c := range []streamtest.Trap{
		{"Claude Code's event", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"rate_limit_event","session_id":"s","rate_limit_info":{"status":"rejected","resetsAt":1791556200,"rateLimitType":"five_hour"}}
{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"session_id":"s","result":"You've hit your limit · resets 9pm (UTC)"}
`, `
1: turn-start claude-code/s turn=1
4: turn-end claude-code/s turn=1 failed tools=0 class=rate_limit retry=2026-10-09T14:30:00.000Z
`},
		{"an event of a limit that is not reached, and an event before the last message of the model", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"rate_limit_event","session_id":"s","rate_limit_info":{"status":"allowed_warning","resetsAt":1791556200}}
{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"session_id":"s","result":"x"}
` + streamtest.ClaudeInit + `
{"type":"rate_limit_event","session_id":"s","rate_limit_info":{"status":"rejected","resetsAt":1791556200}}
` + streamtest.ClaudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"session_id":"s","result":"x"}
` + streamtest.ClaudeInit + `
{"type":"rate_limit_event","session_id":"s","rate_limit_info":{"status":"rejected","resetsAt":1791556200}}
` + streamtest.ClaudeFirst + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
4: turn-end claude-code/s turn=1 failed tools=0 class=rate_limit
5: turn-start claude-code/s turn=2
8: turn-end claude-code/s turn=2 failed tools=0 class=rate_limit
9: turn-start claude-code/s turn=3
12: turn-end claude-code/s turn=3 done tools=0
`},
		{"Claude Code's texts", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"assistant","error":"rate_limit","parent_tool_use_id":null,"message":{"content":[{"type":"text","text":"You've hit your limit · resets 3pm (America/New_York)"}]},"session_id":"s"}
{"type":"result","subtype":"success","is_error":true,"session_id":"s","result":"You've hit your limit · resets 3pm (America/New_York)"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"success","is_error":true,"session_id":"s","result":"You've hit your weekly limit · resets Oct 12, 5pm (America/New_York)"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"success","is_error":true,"session_id":"s","result":"Claude AI usage limit reached|1791556200"}
`, `
1: turn-start claude-code/s turn=1
4: turn-end claude-code/s turn=1 failed tools=0 class=rate_limit retry=2026-10-09T19:00:00.000Z
5: turn-start claude-code/s turn=2
7: turn-end claude-code/s turn=2 failed tools=0 class=rate_limit retry=2026-10-12T21:00:00.000Z
8: turn-start claude-code/s turn=3
10: turn-end claude-code/s turn=3 failed tools=0 class=rate_limit retry=2026-10-09T14:30:00.000Z
`},
		{"Claude Code retries by itself, and reports when", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"system","subtype":"api_retry","session_id":"s","attempt":10,"max_retries":10,"retry_delay_ms":500,"error_status":429,"error":"rate_limit"}
{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"session_id":"s","result":"x"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"system","subtype":"api_retry","session_id":"s","attempt":10,"max_retries":10,"retry_delay_ms":600000,"error_status":429,"error":"rate_limit"}
{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"session_id":"s","result":"x"}
`, `
1: turn-start claude-code/s turn=1
4: turn-end claude-code/s turn=1 failed tools=0 class=rate_limit
5: turn-start claude-code/s turn=2
8: turn-end claude-code/s turn=2 failed tools=0 class=rate_limit retry=2026-10-09T12:40:00.000Z
`},
		{"a message of the model is not an error", streamtest.ClaudeInit + `
{"type":"assistant","parent_tool_use_id":null,"message":{"content":[{"type":"text","text":"The counter resets 3pm (UTC), try again in 3 days"}]},"session_id":"s"}
{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"session_id":"s","result":"API Error: 429"}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 failed tools=0 class=rate_limit
`},
		{"a transcript of Claude Code", `
{"type":"user","sessionId":"s","uuid":"1","timestamp":"2026-10-09T18:00:00.000Z","message":{"role":"user","content":"go on"}}
{"type":"assistant","sessionId":"s","uuid":"2","parentUuid":"1","timestamp":"2026-10-09T18:00:01.000Z","error":"rate_limit","isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"You've hit your limit · resets 3pm (America/New_York)"}]}}
`, `
1: turn-start claude-code/s turn=1 at=2026-10-09T18:00:00.000Z
2: turn-end claude-code/s turn=1 at=2026-10-09T18:00:01.000Z failed tools=0 class=rate_limit retry=2026-10-09T19:00:00.000Z
`},
		{"a transcript of Claude Code that names the exact end, not the time of a text", `
{"type":"user","sessionId":"s","uuid":"1","timestamp":"2026-09-20T02:19:00.000Z","message":{"role":"user","content":"go on"}}
{"type":"assistant","sessionId":"s","uuid":"2","parentUuid":"1","timestamp":"2026-09-20T02:19:15.000Z","error":"rate_limit","isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"You've hit your weekly limit · resets 1pm"}]},"quotaLimits":{"status":"rejected","resetsAt":1789956000,"rateLimitType":"seven_day"}}
`, `
1: turn-start claude-code/s turn=1 at=2026-09-20T02:19:00.000Z
2: turn-end claude-code/s turn=1 at=2026-09-20T02:19:15.000Z failed tools=0 class=rate_limit retry=2026-09-21T02:00:00.000Z
`},
		{"what a host answered opencode", `
{"type":"step_start","timestamp":1781956800000,"sessionID":"ses_s","part":{"type":"step-start"}}
{"type":"error","timestamp":1781956800000,"sessionID":"ses_s","error":{"name":"APIError","data":{"message":"The usage limit has been reached","statusCode":429,"responseBody":"{\"error\":{\"type\":\"usage_limit_reached\",\"resets_at\":1782365382,\"resets_in_seconds\":392723}}"}}}
`, `
1: turn-start opencode/ses_s turn=1 at=2026-06-20T12:00:00.000Z
2: turn-end opencode/ses_s turn=1 at=2026-06-20T12:00:00.000Z failed tools=0 class=rate_limit retry=2026-06-25T05:29:42.000Z
`},
		{"Codex's texts", thread + `
{"type":"turn.failed","error":{"message":"You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again at 6:34 PM."}}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"You've hit your usage limit. To get more access now, send a request to your admin or try again at Oct 11th, 2026 6:34 AM."}}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"You've hit your usage limit. Try again in 3 days 4 hours 12 minutes."}}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000. Please try again in 11.054s."}}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"unexpected status 429 Too Many Requests: {\"error\":{\"type\":\"usage_limit_reached\",\"resets_in_seconds\":5400}}"}}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"unexpected status 503 Service Unavailable, Retry-After: 120"}}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"Your workspace is out of credits. Add credits to continue."}}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"Quota exceeded. Check your plan and billing details."}}
`, `
2: turn-start openai-codex/a turn=1
3: turn-end openai-codex/a turn=1 failed tools=0 class=rate_limit retry=2026-10-09T18:34:00.000Z
4: turn-start openai-codex/a turn=2
5: turn-end openai-codex/a turn=2 failed tools=0 class=rate_limit retry=2026-10-11T06:34:00.000Z
6: turn-start openai-codex/a turn=3
7: turn-end openai-codex/a turn=3 failed tools=0 class=rate_limit retry=2026-10-12T16:42:00.000Z
8: turn-start openai-codex/a turn=4
9: turn-end openai-codex/a turn=4 failed tools=0 class=rate_limit retry=2026-10-09T12:30:11.054Z
10: turn-start openai-codex/a turn=5
11: turn-end openai-codex/a turn=5 failed tools=0 class=rate_limit retry=2026-10-09T14:00:00.000Z
12: turn-start openai-codex/a turn=6
13: turn-end openai-codex/a turn=6 failed tools=0 class=server retry=2026-10-09T12:32:00.000Z
14: turn-start openai-codex/a turn=7
15: turn-end openai-codex/a turn=7 failed tools=0 class=billing
16: turn-start openai-codex/a turn=8
17: turn-end openai-codex/a turn=8 failed tools=0 class=billing
`},
		{"the windows of a rollout: the last that is used up", meta + `
{"timestamp":"2026-10-09T12:01:00.000Z","type":"event_msg","payload":{"type":"token_count","info":null,"rate_limits":{"primary":{"used_percent":100.0,"window_minutes":300,"resets_in_seconds":3600},"secondary":{"used_percent":100.0,"window_minutes":10080,"resets_at":1791642600}}}}
{"timestamp":"2026-10-09T12:01:01.000Z","type":"event_msg","payload":{"type":"error","message":"You've hit your usage limit. Try again later."}}
{"timestamp":"2026-10-09T12:01:01.000Z","type":"event_msg","payload":{"type":"task_complete","last_agent_message":null}}
{"timestamp":"2026-10-09T12:02:00.000Z","type":"event_msg","payload":{"type":"task_started"}}
{"timestamp":"2026-10-09T12:02:01.000Z","type":"event_msg","payload":{"type":"token_count","info":null,"rate_limits":{"primary":{"used_percent":100.0,"window_minutes":300,"resets_in_seconds":3600},"secondary":{"used_percent":99.0,"window_minutes":10080,"resets_at":1791642600}}}}
{"timestamp":"2026-10-09T12:03:01.000Z","type":"event_msg","payload":{"type":"error","message":"You've hit your usage limit. Try again later."}}
{"timestamp":"2026-10-09T12:03:01.000Z","type":"event_msg","payload":{"type":"task_complete","last_agent_message":null}}
`, `
2: turn-start openai-codex/r turn=1 at=2026-10-09T12:00:00.000Z
5: turn-end openai-codex/r turn=1 at=2026-10-09T12:01:01.000Z failed tools=0 class=rate_limit retry=2026-10-10T14:30:00.000Z
6: turn-start openai-codex/r turn=2 at=2026-10-09T12:02:00.000Z
9: turn-end openai-codex/r turn=2 at=2026-10-09T12:03:01.000Z failed tools=0 class=rate_limit retry=2026-10-09T13:02:01.000Z
`},
		{"Gemini CLI's texts", `
{"type":"init","session_id":"g","timestamp":"2026-10-09T12:00:00.000Z","model":"gemini-2.5-pro"}
{"type":"result","timestamp":"2026-10-09T12:00:01.000Z","status":"error","error":{"type":"Error","message":"You exceeded your current quota, please check your plan and billing details. Please retry in 12h4m."}}
{"type":"init","session_id":"g","timestamp":"2026-10-09T12:00:00.000Z","model":"gemini-2.5-pro"}
{"type":"result","timestamp":"2026-10-09T12:00:01.000Z","status":"error","error":{"type":"Error","message":"[{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"details\":[{\"retryDelay\":\"34s\"}]}}]"}}
{"type":"init","session_id":"g","timestamp":"2026-10-09T12:00:00.000Z","model":"gemini-2.5-pro"}
{"type":"result","timestamp":"2026-10-09T12:00:01.000Z","status":"error","error":{"type":"Error","message":"You have exhausted your capacity on this model. Your quota will reset after 5h23m11s."}}
`, `
1: turn-start google-gemini/g turn=1 at=2026-10-09T12:00:00.000Z
2: turn-end google-gemini/g turn=1 at=2026-10-09T12:00:01.000Z failed tools=0 class=rate_limit retry=2026-10-10T00:04:01.000Z
3: turn-start google-gemini/g turn=2 at=2026-10-09T12:00:00.000Z
4: turn-end google-gemini/g turn=2 at=2026-10-09T12:00:01.000Z failed tools=0 class=rate_limit retry=2026-10-09T12:00:35.000Z
5: turn-start google-gemini/g turn=3 at=2026-10-09T12:00:00.000Z
6: turn-end google-gemini/g turn=3 at=2026-10-09T12:00:01.000Z failed tools=0 class=rate_limit retry=2026-10-09T17:23:12.000Z
`},
	} {
		c.Run(t)
	}
}

// TestResetIn checks that the time follows the first phrase after which there is one.
func TestResetIn(t *testing.T) {
	for text, want := range map[string]string{
		"it resets, as ever, and resets 3pm (UTC)": "2026-10-09T15:00:00.000Z",
		"RESETS AT 15:00 UTC":                      "2026-10-09T15:00:00.000Z",
		"error 429, retry-after: 60":               "2026-10-09T12:31:00.000Z",
		`{"Retry-After":["60"]}`:                   "2026-10-09T12:31:00.000Z",
		"İ resets 3pm (UTC)":                       "2026-10-09T15:00:00.000Z",

		// A host in Beijing writes its own time, without a zone.
		"Usage limit reached for 5 hour. Your limit will reset at 2026-10-09 23:00:00": "2026-10-09T15:00:00.000Z",
		"已达到 5 小时的使用上限。您的限额将在 2026-10-09 23:00:00 重置。":                                 "2026-10-09T15:00:00.000Z",
		"It will reset at 2026-10-09 23:00:00 +0800 CST.":                              "2026-10-09T15:00:00.000Z",
		"Your limit will reset at 2026-10-09 15:00:00 UTC":                             "2026-10-09T15:00:00.000Z",
		"Your limit will reset at 3pm (UTC)":                                           "2026-10-09T15:00:00.000Z",

		"You will regain access on 2026-10-10 at 00:00 UTC.": "2026-10-10T00:00:00.000Z",
		"The quota will reset at 2026-10-09 23:00:00":        "2026-10-09T15:00:00.000Z",

		// Just passed: now, if the limit is short or not named, and the next day if it lasts for a day or longer.
		"You've hit your limit · resets 12pm (UTC)":               "2026-10-09T12:30:00.000Z",
		"5-hour limit reached ∙ resets 12pm (UTC)":                "2026-10-09T12:30:00.000Z",
		"You've hit your weekly limit · resets 12pm (UTC)":        "2026-10-10T12:00:00.000Z",
		"Opus weekly limit reached ∙ resets 12:15 PM (UTC)":       "2026-10-10T12:15:00.000Z",
		"You've hit your weekly limit · resets Oct 9, 12pm (UTC)": "2026-10-09T12:30:00.000Z",

		"Weekly limit reached · resets Monday 9am":          "2026-10-12T09:00:00.000Z",
		"It resets Monday at 9:00 AM.":                      "2026-10-12T09:00:00.000Z",
		"Resets in 3 days":                                  "2026-10-12T12:30:00.000Z",
		"Your plan's limit resets in 143h57m55s.":           "2026-10-15T12:27:55.000Z",
		"Please wait for 2 hours and 5 minutes, then go on": "2026-10-09T14:35:00.000Z",
		"You are limited until 5pm (UTC)":                   "2026-10-09T17:00:00.000Z",
		"please wait until tomorrow at 8am UTC":             "2026-10-10T08:00:00.000Z",
		`{"quotaResetAt":"2026-10-09T15:00:00Z"}`:           "2026-10-09T15:00:00.000Z",
		"Try again on Saturday, October 10 at 2 PM":         "2026-10-10T14:00:00.000Z",
		"resets at midnight UTC":                            "2026-10-10T00:00:00.000Z",
		"max RPM: 3, please try again after 1 seconds":      "2026-10-09T12:30:01.000Z",
	} {
		if got := agents.FailureTexts().Reset(text).Instant(streamtest.Day.Time()); got.String() != want {
			t.Errorf("%q: got %v, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "resets", "resets soon", "await 3 s", "reset your password 3 times", "reset your credits: 3", `"reset_count": 3`, "retried 5 times (total retry wait time: 14.79 seconds)", "wait for your limits to reset (every 5h and every week.)", "try again later", "retry-after", "the 3pm train"} {
		if r := agents.FailureTexts().Reset(text); r != (continuation.Reset{}) {
			t.Errorf("%q: got %v", text, r)
		}
	}
}
