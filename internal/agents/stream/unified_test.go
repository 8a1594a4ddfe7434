package stream_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/claude"
	"onward/internal/agents/codex"
	"onward/internal/agents/gemini"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
	"onward/test/streamtest"
)

func TestAppendJSON(t *testing.T) {
	todos := continuation.Event{Type: continuation.Todos, Items: []todo.Item{
		{ID: "1", Content: "say \"hi\"\n\x01<ü>", Status: todo.InProgress}, {Content: "B", Status: todo.Blocked},
	}}
	for _, c := range []struct {
		name   string
		u      stream.Update
		member string
		want   string
	}{
		{
			"a list",
			stream.Update{Event: todos, Kind: codex.Kind, Session: "s", TodoID: "item_0", Turn: 1, Inferred: []string{stream.InferredStatus}},
			"",
			`{"type":"todo_list","eventId":"E","agentId":"s","agentType":"openai-codex","timestamp":7,"todoId":"item_0","items":[{"text":"say \"hi\"\n\u0001<ü>","status":"in_progress"},{"text":"B","status":"blocked"}],"session":"s","turn":1,"inferred":["status"]}`,
		},
		{
			"a sub-agent's cleared list",
			stream.Update{Event: continuation.Event{Type: continuation.Todos}, Kind: claude.Kind, Session: "s", SubAgent: "a1", Parent: "t1", TodoID: "t2", Turn: 2, At: 9},
			"Max",
			`{"type":"todo_list","eventId":"E","agentId":"a1","agentType":"claude-code","timestamp":9,"todoId":"t2","items":[],"session":"s","turn":2,"parent":"t1"}`,
		},
		{
			"a member's turn",
			stream.Update{Event: continuation.Event{Type: continuation.TurnStart}, Kind: gemini.Kind, Session: "s", Turn: 1},
			"Max",
			`{"type":"turn.started","eventId":"E","agentId":"Max","agentType":"google-gemini","timestamp":7,"session":"s","turn":1}`,
		},
		{
			"an end",
			stream.Update{Event: continuation.Event{Type: continuation.TurnEnd, Status: continuation.Failed, ErrorClass: continuation.ErrorAuth, ToolCalls: 3}, Kind: gemini.Kind, Session: "s", Turn: 1},
			"",
			`{"type":"turn.completed","eventId":"E","agentId":"s","agentType":"google-gemini","timestamp":7,"finishReason":"error","errorClass":"auth","toolCalls":3,"session":"s","turn":1}`,
		},
		{
			"a pause",
			stream.Update{Event: continuation.Event{Type: continuation.Pause, Reason: "why"}, Kind: gemini.Kind, Session: "s", Turn: 1},
			"",
			`{"type":"paused","eventId":"E","agentId":"s","agentType":"google-gemini","timestamp":7,"reason":"why","session":"s","turn":1}`,
		},
	} {
		got := string(c.u.AppendJSON([]byte("x"), "E", c.member, 7))
		if got != "x"+c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		if !json.Valid([]byte(got[1:])) {
			t.Errorf("%s: not JSON", c.name)
		}
	}
	for status, want := range map[continuation.TurnStatus]string{
		"": "done", continuation.Done: "done", continuation.Failed: "error", continuation.Aborted: "cancelled", continuation.CutOff: "cut_off",
	} {
		if got := stream.FinishReason(status); got != want {
			t.Errorf("%s: %s, want %s", status, got, want)
		}
	}
}

func TestEventID(t *testing.T) {
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := make(map[string]string)
	for _, name := range streamtest.Recordings {
		if strings.HasSuffix(name, ".log") || strings.Contains(name, "transcript") || name == "pi/session.jsonl" {
			continue // another recording has the same session
		}
		if name == "kimi/stream-api-error.jsonl" {
			continue // its lines do not name the session, so it is distinguished by a seed only
		}
		for _, seed := range []string{"", "2"} {
			for _, u := range streamtest.Drain(t, agents.NewReader(strings.NewReader(streamtest.Recording(t, name)), stream.Options{})) {
				id := u.EventID(seed)
				if !uuid.MatchString(id) {
					t.Fatalf("%s is no UUID", id)
				}
				if other, ok := seen[id]; ok {
					t.Errorf("%s names %s and %s", id, streamtest.Text(u), other)
				}
				seen[id] = streamtest.Text(u)
				if u.EventID(seed) != id {
					t.Errorf("%s changes", id)
				}
			}
		}
	}
}

func TestSubAgentName(t *testing.T) {
	valid := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	seen := make(map[string]string)
	for _, id := range []string{
		"a87fc52b51d1ded72", "toolu_01", "a.b-c", "call/1", "call-1", "call:1", "-x", "_x", "..", "../../etc", "ü", "a b", "a\x00",
		strings.Repeat("a", 64), strings.Repeat("a", 65), strings.Repeat("a", 66), strings.Repeat("é", 40), "",
	} {
		name := stream.SubAgentName(id)
		if !valid.MatchString(name) && id != "" {
			t.Errorf("%q becomes %q", id, name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q become %q", id, other, name)
		}
		seen[name] = id
		if valid.MatchString(id) && name != id {
			t.Errorf("%q becomes %q", id, name)
		}
	}
}

func TestPauseLine(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		reason string
		ok     bool
	}{
		{[]string{"ONWARD-PAUSE: x"}, "x", true},
		{[]string{"a\r\nONWARD-PAUSE:x\r\n\r\n"}, "x", true},
		{[]string{"a\n", "\n", "  ONWARD", "-PAUSE", ": x", " y \n", "\n "}, "x y", true},
		{[]string{"ONWARD-PAUSE:"}, "no reason given", true},
		{[]string{"ONWARD-PAUSE: x\nand more"}, "", false},
		{[]string{"see ONWARD-PAUSE: x"}, "", false},
		{[]string{"onward-pause: x"}, "", false},
		{[]string{""}, "", false},
		{[]string{strings.Repeat("\n ", 10_000) + strings.Repeat(" ", 10_000), "ONWARD-PAUSE: " + strings.Repeat("é", 600)}, strings.Repeat("é", 500), true},
		{[]string{strings.Repeat("x", 1_000_000), "ONWARD-PAUSE: x"}, "", false},
	} {
		var l stream.LastLine
		for _, p := range c.pieces {
			l.Add([]byte(p))
		}
		if reason, ok := l.Pause(); reason != c.reason || ok != c.ok {
			t.Errorf("%.60q: %.60q, %v", c.pieces, reason, ok)
		}
		if l.Size() > 8000 {
			t.Errorf("%.60q: %d bytes are kept", c.pieces, l.Size())
		}
	}
}

// TestLastWords keeps the end of a message, which is where its questions are.
func TestLastWords(t *testing.T) {
	words := strings.Repeat("I ran every test of the lexer twice. ", 30)
	for _, c := range []struct {
		pieces []string
		want   string
	}{
		{[]string{"Next: ", "the parser.\n"}, "Next: the parser."},
		{[]string{words, "Which one?"}, "…" + words[len(words)-488:] + "Which one?"},
		{[]string{words + "Which one?"}, "…" + words[len(words)-488:] + "Which one?"},
		{[]string{strings.Repeat("é", 600)}, "…" + strings.Repeat("é", 250)},
	} {
		var l stream.LastLine
		for _, p := range c.pieces {
			l.Add([]byte(p))
		}
		if got := l.LastWords(); got != c.want {
			t.Errorf("%q: %q, want %q", c.pieces, got, c.want)
		}
	}
}

func TestFailureClass(t *testing.T) {
	for _, c := range []struct {
		text string
		want continuation.ErrorClass
	}{
		{"exceeded retry limit, last status: 429 Too Many Requests", continuation.ErrorRateLimit},
		{"unexpected status 401 Unauthorized", continuation.ErrorAuth},
		{"Quota exceeded. Check your plan and billing details.", continuation.ErrorBilling},
		{"stream disconnected before completion: x", continuation.ErrorServer},
		{"Selected model is at capacity.", continuation.ErrorServer},
		{`{"error":{"message":"boom","type":"invalid_request_error"}}`, continuation.ErrorInvalidRequest},
		{`{"status": 502, "x": "status"}`, continuation.ErrorServer},
		{"status 42, status 12345, status", continuation.ErrorUnknown},

		// Too long a conversation, in the words of several hosts and programs
		{`API Error: 400 {"error":{"type":"invalid_request_error","message":"input length and max_tokens exceed context limit: 188240 + 21333 > 200000"}}`, continuation.ErrorContext},
		{"Conversation too long. Press esc twice to go up a few messages and try again.", continuation.ErrorContext},
		{"Input is too long for requested model.", continuation.ErrorContext},
		{"This model's maximum prompt length is 131072 but the request contains 537812 tokens.", continuation.ErrorContext},
		{"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]", continuation.ErrorContext},
		{"Your request exceeded model token limit: 262144", continuation.ErrorContext},
		{"prompt token count of 128001 exceeds the limit of 128000", continuation.ErrorContext},

		// Limits that end by themselves, and those that do not
		{"You're out of extra usage", continuation.ErrorRateLimit},
		{"You've hit your Opus limit", continuation.ErrorRateLimit},
		{"API Error: Request rejected (429) · [1310][x]", continuation.ErrorRateLimit},
		{"已达到 5 小时的使用上限。", continuation.ErrorRateLimit},
		{"You have been rate-limited.", continuation.ErrorRateLimit},
		{"You've hit your usage limit. Visit your settings to purchase more credits or try again later.", continuation.ErrorRateLimit},
		{"You hit your spend cap set in your workspace. Increase your spend cap to continue.", continuation.ErrorBilling},
		{"Extra usage is required for 1M context", continuation.ErrorBilling},
		{"This request requires more credits, or fewer max_tokens.", continuation.ErrorBilling},
		{"EDQUOT: disk quota exceeded, write", continuation.ErrorUnknown},

		{"Your access token could not be refreshed because you have since logged out. Please sign in again.", continuation.ErrorAuth},
		{"There's an issue with the selected model (x). It may not exist or you may not have access to it.", continuation.ErrorInvalidRequest},
		{"Model not found: x/y. Did you mean: z?", continuation.ErrorInvalidRequest},
		{"request to https://x failed, reason: getaddrinfo ENOTFOUND", continuation.ErrorServer},
		{"", continuation.ErrorUnknown},

		// The network, as the libraries of several languages say it
		{"curl: (6) Could not resolve host: api.anthropic.com", continuation.ErrorServer},
		{"Error: connect ETIMEDOUT 160.79.104.10:443", continuation.ErrorServer},
		{"Error: read ECONNRESET", continuation.ErrorServer},
		{"getaddrinfo EAI_AGAIN api.openai.com", continuation.ErrorServer},
		{"net::ERR_INTERNET_DISCONNECTED", continuation.ErrorServer},
		{"Error: certificate has expired", continuation.ErrorServer},
		{"tcp connect error: Connection refused (os error 111)", continuation.ErrorServer},
		{"failed to lookup address information: Temporary failure in name resolution", continuation.ErrorServer},
		{"dial tcp: lookup api.openai.com: no such host", continuation.ErrorServer},
		{"connect ENETUNREACH 2607:6bc0::10:443", continuation.ErrorServer},
	} {
		if got := agents.FailureTexts().Class(stream.FailureOf("", c.text, nil)); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}
