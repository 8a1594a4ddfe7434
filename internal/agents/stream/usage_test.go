package stream_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/test/streamtest"
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
		if got := used(t, streamtest.Recording(t, name)); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// TestUsageOfOpenTurn lets streams end before the line that ends their turn. What was shown by then is known while
// the turn is open, a response with several lines once, and counts if the turn is cut off there.
func TestUsageOfOpenTurn(t *testing.T) {
	for name, c := range map[string]struct {
		lines int // that are read
		want  continuation.Usage
	}{
		"claude/stream-tasks.jsonl":   {45, continuation.Usage{Input: 1100, Output: 220}},
		"claude/stream-hard.jsonl":    {19, continuation.Usage{Input: 200, Output: 20}},
		"codex/exec-ok.jsonl":         {13, continuation.Usage{}}, // at the turn's end only, as the next
		"gemini/stream-ok.jsonl":      {20, continuation.Usage{}},
		"opencode/run.jsonl":          {15, continuation.Usage{Input: 400, Output: 80}},
		"qwen/stream-0.24.jsonl":      {20, continuation.Usage{Input: 500, Output: 100}},
		"qwen/stream-max-turns.jsonl": {9, continuation.Usage{Input: 200, Output: 40}},
	} {
		start := beginning(t, name, c.lines)
		if got, _ := open(start); got != c.want {
			t.Errorf("%s: the open turn has used %+v, want %+v", name, got, c.want)
		}
		if got := used(t, start); got != c.want {
			t.Errorf("%s: cut off: got %+v, want %+v", name, got, c.want)
		}
	}
}

// TestMessageOfOpenTurn lets recorded streams end in the middle of a turn: the end of the last message is known by then.
// What the program says for its host is no message of the model.
func TestMessageOfOpenTurn(t *testing.T) {
	for name, c := range map[string]struct {
		lines int // that are read
		want  string
	}{
		"claude/stream-hard.jsonl":      {19, "Working."},
		"claude/stream-api-error.jsonl": {5, "I'll plan first."},
		"codex/exec-ok.jsonl":           {13, "All done."},
		"gemini/stream-ok.jsonl":        {19, "I'll plan this first."},
		"kimi/stream.jsonl":             {5, "Let me plan. ✅"},
		"copilot/stream-sql.jsonl":      {20, "Working."},
		"opencode/run.jsonl":            {15, "I'll plan."},
		"qwen/stream-0.24.jsonl":        {20, "I look."},
		"qwen/stream-api-error.jsonl":   {4, ""},
	} {
		start := beginning(t, name, c.lines)
		if _, got := open(start); got != c.want {
			t.Errorf("%s: said %q, want %q", name, got, c.want)
		}
		if got := saidLast(t, start); got != c.want {
			t.Errorf("%s: cut off: said %q, want %q", name, got, c.want)
		}
	}
}

// TestResponseIsCountedOnce lets the counts of a response rise from line to line, and the result have another sum or none.
func TestResponseIsCountedOnce(t *testing.T) {
	const start = `{"type":"system","subtype":"init","session_id":"c","claude_code_version":"2.1.0","tools":[]}
{"type":"assistant","session_id":"c","parent_tool_use_id":null,"message":{"id":"m1","content":[],"usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":70,"output_tokens":1}}}
{"type":"assistant","session_id":"c","parent_tool_use_id":"toolu_1","message":{"id":"s1","content":[],"usage":{"input_tokens":5000,"output_tokens":1}}}
{"type":"assistant","session_id":"c","parent_tool_use_id":null,"message":{"id":"m1","content":[],"usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":70,"output_tokens":40}}}
{"type":"assistant","session_id":"c","parent_tool_use_id":null,"message":{"content":[],"usage":{"input_tokens":5000,"output_tokens":1}}}
{"type":"assistant","session_id":"c","parent_tool_use_id":null,"message":{"id":"m2","content":[],"usage":{"input_tokens":5,"output_tokens":5}}}
`
	shown := continuation.Usage{Input: 105, Output: 45, Cached: 70}
	for end, want := range map[string]continuation.Usage{
		"": shown,
		`{"type":"result","session_id":"c","subtype":"error_during_execution","is_error":true}`:                                               shown,
		`{"type":"result","session_id":"c","subtype":"success","is_error":false,"result":"","usage":{"input_tokens":200,"output_tokens":50}}`: {Input: 200, Output: 50},
	} {
		if got := used(t, start+end); got != want {
			t.Errorf("%s: got %+v, want %+v", end, got, want)
		}
	}
}

// TestCacheIsCountedIn reads what Qwen Code takes from a cache, which its count of the input has.
func TestCacheIsCountedIn(t *testing.T) {
	const usage = `"usage":{"input_tokens":100,"cache_read_input_tokens":70,"output_tokens":5}`
	for _, end := range []string{"", `{"type":"result","session_id":"q","subtype":"success","is_error":false,"result":"ok",` + usage + `}`} {
		stream := `{"type":"system","subtype":"init","session_id":"q","qwen_code_version":"0.24.0","tools":[]}
{"type":"assistant","session_id":"q","parent_tool_use_id":null,"message":{"id":"m1","content":[],` + usage + `}}
` + end
		if got, want := used(t, stream), (continuation.Usage{Input: 100, Output: 5, Cached: 70}); got != want {
			t.Errorf("%s: got %+v, want %+v", end, got, want)
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

// beginning returns the first lines of a recording.
func beginning(t *testing.T, name string, lines int) string {
	t.Helper()
	return strings.Join(strings.SplitAfter(streamtest.Recording(t, name), "\n")[:lines], "")
}

// open returns what is known of the open turn where an input stands still.
func open(start string) (continuation.Usage, string) {
	r := agents.NewReader(io.MultiReader(strings.NewReader(start), iotest.ErrReader(stream.ErrUnfinished)), stream.Options{})
	for {
		if _, err := r.Next(); err != nil {
			return r.Open()
		}
	}
}

func used(t *testing.T, input string) (all continuation.Usage) {
	t.Helper()
	for _, u := range streamtest.Drain(t, agents.NewReader(strings.NewReader(input), stream.Options{})) {
		all.Add(u.Event.Usage)
	}
	return all
}

// saidLast returns what was said last in the turn that ended last.
func saidLast(t *testing.T, input string) (last string) {
	t.Helper()
	for _, u := range streamtest.Drain(t, agents.NewReader(strings.NewReader(input), stream.Options{})) {
		if u.Event.Type == continuation.TurnEnd {
			last = u.Said
		}
	}
	return last
}
