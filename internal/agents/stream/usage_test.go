package stream_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/test/streamtest"
)

// TestUsage adds up the tokens and the cost in recordings. Claude Code's second result includes
// the cost of the first one, because it is the total of the process; both recordings have a sub-agent, whose tokens count.
func TestUsage(t *testing.T) {
	for name, want := range map[string]continuation.Usage{
		"claude/stream-tasks.jsonl":     {Input: 1400, Output: 280, Cost: 8400},
		"claude/stream-todowrite.jsonl": {Input: 1200, Output: 240, Cost: 7200},
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

// TestUsageOfOpenTurn lets streams stop before the line that ends their turn. The usage in the lines so far must be known while
// the turn is open, and must count if the turn is cut off. A response with several lines counts once.
func TestUsageOfOpenTurn(t *testing.T) {
	for name, c := range map[string]struct {
		lines int // number of lines that are read
		want  continuation.Usage
	}{
		"claude/stream-tasks.jsonl":   {45, continuation.Usage{Input: 1400, Output: 280}},
		"claude/stream-hard.jsonl":    {19, continuation.Usage{Input: 200, Output: 20}},
		"codex/exec-ok.jsonl":         {13, continuation.Usage{}}, // it reports usage only at the end of the turn, as does the next one
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

// TestMessageOfOpenTurn lets recorded streams stop in the middle of a turn. The end of the last message must be known by then.
// A message that the program writes itself, such as an error of its host, does not count as one of the model.
func TestMessageOfOpenTurn(t *testing.T) {
	for name, c := range map[string]struct {
		lines int // number of lines that are read
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

// TestResponseIsCountedOnce reads a response whose counts grow from line to line, with one of a sub-agent in between, and
// results that tell more, or less, than that. A process that resumed a conversation continues its totals, and says apart what is new.
func TestResponseIsCountedOnce(t *testing.T) {
	const start = `{"type":"system","subtype":"init","session_id":"c","claude_code_version":"2.1.0","tools":[]}
{"type":"assistant","session_id":"c","parent_tool_use_id":null,"message":{"id":"m1","content":[],"usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":70,"output_tokens":1}}}
{"type":"assistant","session_id":"c","parent_tool_use_id":"toolu_1","message":{"id":"s1","content":[],"usage":{"input_tokens":5000,"output_tokens":1}}}
{"type":"assistant","session_id":"c","parent_tool_use_id":null,"message":{"id":"m1","content":[],"usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":70,"output_tokens":40}}}
{"type":"assistant","session_id":"c","parent_tool_use_id":null,"message":{"content":[],"usage":{"input_tokens":5000,"output_tokens":1}}}
{"type":"assistant","session_id":"c","parent_tool_use_id":null,"message":{"id":"m2","content":[],"usage":{"input_tokens":5,"output_tokens":5}}}
`
	shown := continuation.Usage{Input: 5105, Output: 46, Cached: 70}
	for end, want := range map[string]continuation.Usage{
		"": shown,
		`{"type":"result","session_id":"c","subtype":"error_during_execution","is_error":true}`:                                                                                                                                                   shown,
		`{"type":"result","session_id":"c","subtype":"success","is_error":false,"result":"","usage":{"input_tokens":200,"output_tokens":50}}`:                                                                                                     shown,
		`{"type":"result","session_id":"c","subtype":"success","is_error":false,"result":"","usage":{"input_tokens":6000,"output_tokens":50}}`:                                                                                                    {Input: 6000, Output: 50},
		`{"type":"result","session_id":"c","subtype":"success","is_error":false,"result":"","usage":{"input_tokens":200},"modelUsage":{"a":{"inputTokens":7000,"cacheReadInputTokens":70}}}`:                                                      {Input: 7070, Cached: 70},
		`{"type":"result","session_id":"c","subtype":"success","is_error":false,"result":"","total_cost_usd":9,"result_index":0,"modelUsage":{"a":{"inputTokens":90000}},"model_usage_since_last_result":{"a":{"inputTokens":8000,"costUSD":1}}}`: {Input: 8000, Cost: 1_000_000},
	} {
		if got := used(t, start+end); got != want {
			t.Errorf("%s: got %+v, want %+v", end, got, want)
		}
	}
}

// TestCostOfSeveralProcesses reads the results of turns. Each has the cost of its process so far: a turn costs the difference to
// the result before it, but all of it where another process has begun.
func TestCostOfSeveralProcesses(t *testing.T) {
	turn := func(cost string, tokens int, more string) string {
		return fmt.Sprintf(`{"type":"system","subtype":"init","session_id":"c","claude_code_version":"2.1.0","tools":[]}
{"type":"result","session_id":"c","subtype":"success","is_error":false,"result":"ok","total_cost_usd":%s,"usage":{"input_tokens":100},"modelUsage":{"a":{"inputTokens":%d,"outputTokens":10},"b":{"cacheReadInputTokens":5}}%s}
`, cost, tokens, more)
	}
	for name, c := range map[string]struct {
		stream string
		want   int
	}{
		"one process":                       {turn("0.1", 100, "") + turn("0.3", 200, "") + turn("0.6", 350, ""), 600_000},
		"processes that cost more and more": {turn("0.1", 100, "") + turn("0.3", 100, "") + turn("0.6", 120, ""), 1_000_000},
		"a process that costs less":         {turn("0.3", 100, "") + turn("0.1", 900, ""), 400_000},
		"results with numbers":              {turn("0.1", 100, `,"result_index":0`) + turn("0.3", 900, `,"result_index":1`) + turn("0.6", 2000, `,"result_index":0`), 900_000},
	} {
		if got := used(t, c.stream).Cost; got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

// TestCacheIsCountedIn checks that tokens from Qwen Code's cache are not added again, since its count of the input includes them.
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

// TestInvalidUsage checks that a missing or impossible number of tokens counts as nothing.
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

// open returns the usage and the last message of the turn that is open at the end of start.
func open(start string) (continuation.Usage, string) {
	r := agents.NewReader(io.MultiReader(strings.NewReader(start), iotest.ErrReader(stream.ErrInputContinues)), stream.Options{})
	for {
		if _, err := r.Next(); err != nil {
			used, said, _ := r.OpenTurnUsage()
			return used, said
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

// saidLast returns the last message of the last turn that ended.
func saidLast(t *testing.T, input string) (last string) {
	t.Helper()
	for _, u := range streamtest.Drain(t, agents.NewReader(strings.NewReader(input), stream.Options{})) {
		if u.Event.Type == continuation.TurnEnd {
			last = u.Said
		}
	}
	return last
}
