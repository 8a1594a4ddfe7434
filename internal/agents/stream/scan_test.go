package stream_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/test/streamtest"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// TestScanAgreesOnRecordings compares the scanner with the decoder on the output of real programs.
func TestScanAgreesOnRecordings(t *testing.T) {
	for _, name := range streamtest.Recordings {
		streamtest.Agree(t, []byte(streamtest.Recording(t, name)))
	}
}

// TestScanAgreesWithDecoder compares them on random streams of the names and values that have a meaning, in any order
// and any notation.
func TestScanAgreesWithDecoder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var b bytes.Buffer
		agent := rapid.IntRange(0, agentsMade).Draw(rt, "agent") // mostly lines of one agent; the last value means lines of any
		for range rapid.IntRange(1, 25).Draw(rt, "lines") {
			writeJSON(rt, &b, anyLine(rt, agent))
			if rapid.IntRange(0, 9).Draw(rt, "damage") == 0 {
				b.Truncate(b.Len() - rapid.IntRange(1, min(4, b.Len())).Draw(rt, "cut"))
			}
			b.WriteByte('\n')
		}
		streamtest.Agree(rt, sound(b.Bytes()))
	})
}

// sound removes the lines that look like an object but are invalid.
// The scanner does not validate strings, so it may find a call in such a line. No agent writes such lines.
func sound(input []byte) []byte {
	var out []byte
	for line := range bytes.Lines(input) {
		l := bytes.Trim(line, " \t\r\n")
		if len(l) > 0 && l[0] == '{' && l[len(l)-1] == '}' && (!jsontext.Value(l).IsValid(jsontext.AllowInvalidUTF8(true)) || !utf8.Valid(l)) {
			continue
		}
		out = append(out, line...)
	}
	return out
}

// agentsMade is the number of formats that anyLine can draw.
const agentsMade = 6

// weighted draws a word from a text of the form "weight word weight word …".
func weighted(rt *rapid.T, words string) string {
	var from []string
	for f := strings.Fields(words); len(f) > 0; f = f[2:] {
		from = append(from, slices.Repeat(f[1:2], int(f[0][0]-'0'))...)
	}
	return rapid.SampledFrom(from).Draw(rt, "word")
}

// anyLine draws a line of an agent. Its values are from small pools, so that ids often match.
func anyLine(rt *rapid.T, agent int) []member {
	pick := func(label string, from ...any) any { return rapid.SampledFrom(from).Draw(rt, label) }
	id := func() any { return pick("id", "t1", "t2", "t3", "item_0", "item_1", nil, 7) }
	text := func() any {
		return pick("text", "", "A", "B \"quoted\" \\", "done\nONWARD-PAUSE: wait", "ONWARD-PAUSE: x\n\nmore",
			"[Request interrupted by user]", "[Request", "Task #2 created successfully: B", "Updated task #1 status", "Task not found",
			"#1 [completed] A\n#3 [pending] C [blocked by #1]", strings.Repeat("\\\"", 9), "ü✅\x1b", nil, 5)
	}
	says := func() any {
		if rapid.IntRange(0, 2).Draw(rt, "pause?") == 0 {
			return pick("pause", "ONWARD-PAUSE: wait", "x\nONWARD-PAUSE: y", "ONWARD-")
		}
		return text()
	}
	items := func() any {
		var list []any
		for range rapid.IntRange(0, 3).Draw(rt, "items") {
			list = append(list, []member{
				{pick("text key", "text", "content", "description").(string), text()},
				{"status", pick("status", "pending", "in_progress", "completed", "blocked", "weird", nil)},
				{"completed", pick("completed", true, false, nil)},
			})
		}
		return pick("list", any(list), any(list), nil, "none")
	}
	session := func() any { return pick("session", "s1", "s1", "s1", "s2", nil) }
	rarely := func(label string, from ...any) any {
		if rapid.IntRange(0, 9).Draw(rt, label+"?") > 0 {
			return nil
		}
		return pick(label, from...)
	}
	if agent == agentsMade || rapid.IntRange(0, 29).Draw(rt, "other") == 0 {
		agent = rapid.IntRange(0, agentsMade-1).Draw(rt, "other agent")
	}
	var line []member
	switch agent {
	case 0:
		line = []member{
			{"type", weighted(rt, "9 item.completed 3 turn.completed 2 turn.started 1 turn.failed 2 item.started 2 item.updated 1 error 1 item.plan.delta 1 thread.started")},
			{"thread_id", session()},
			{"item", []member{
				{"id", id()},
				{"type", weighted(rt, "5 agent_message 3 todo_list 3 command_execution 1 reasoning 1 plan")},
				{"text", says()},
				{"items", items()},
				{"aggregated_output", text()},
			}},
			{"error", pick("error", nil, "x", any([]member{{"message", text()}}))},
		}
	case 1:
		block := func() any {
			return []member{
				{"type", pick("block", "text", "text", "tool_use", "tool_result", "thinking", nil)},
				{"text", says()},
				{"id", id()},
				{"name", pick("tool", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "Bash", "ToolSearch")},
				{"input", []member{
					{"todos", items()},
					{"taskId", pick("task", "1", "2", "9")},
					{"subject", text()},
					{"status", pick("task status", "completed", "deleted", "pending", nil)},
					{"addBlockedBy", pick("blocked", nil, any([]any{"1", "3"}))},
				}},
				{"tool_use_id", id()},
				{"content", text()},
				{"is_error", pick("is_error", nil, nil, true, false)},
			}
		}
		line = []member{
			{"type", weighted(rt, "6 assistant 3 system 6 user 2 result 1 conversation_reset 1 stream_event 1 new_thing")},
			{"subtype", pick("subtype", "init", "task_started", "status", "success", "error_during_execution", "model_refusal_fallback", nil)},
			{"session_id", session()},
			{"claude_code_version", "2.1"},
			{"tools", pick("tools", nil, any([]any{"Bash", "TodoWrite"}))},
			{"uuid", pick("uuid", "u1", "u2", nil)},
			{"parent_tool_use_id", rarely("parent", "t1")},
			{"agent_id", rarely("agent id", "a1")},
			{"message", pick("message", nil, any([]member{{"content", text()}}),
				any([]member{{"content", []any{block(), block()}}}), any([]member{{"content", []any{block()}}, {"id", "m"}}))},
			{"tool_use_result", pick("result", nil, "Error", any([]member{
				{"newTodos", items()},
				{"task", []member{{"id", pick("made", "1", "2", "3")}, {"subject", text()}}},
				{"tasks", []any{[]member{{"id", "1"}, {"subject", "A"}, {"status", "pending"}}}},
				{"success", pick("success", true, false)},
			}))},
			{"is_error", pick("failed", true, false, nil)},
			{"result", text()},
			{"error", rarely("api error", "unknown")},
			{"aborted", rarely("aborted", true, false)},
			{"supersedes", rarely("supersedes", any([]any{"u1"}))},
			{"retracted_message_uuids", pick("retracted", nil, any([]any{"u2"}))},
			{"is_backgrounded", pick("background", true, false)},
		}
	case 3:
		plan := func() any {
			var steps []any
			for range rapid.IntRange(0, 2).Draw(rt, "steps") {
				steps = append(steps, []member{{"step", text()}, {"status", pick("status", "pending", "in_progress", "weird", nil)}})
			}
			return pick("plan", any(steps), any(steps), nil)
		}
		arguments := `{"plan":[{"step":"A","status":"in_progress"}]}`
		item := []member{
			{"type", weighted(rt, "4 message 5 function_call 5 function_call_output 2 reasoning 1 custom_tool_call 1 web_search_call 2 task_started 2 task_complete 1 turn_aborted 1 user_message 1 error 1 plan_update 1 thread_rolled_back 2 token_count")},
			{"id", session()},
			{"timestamp", pick("began", nil, "2026-11-21T01:31:02.689Z", "2026-11-20T01:31:02.689Z")},
			{"thread_id", rarely("thread", "s1", "s2")},
			{"forked_from_id", rarely("forked", "s1", "s2")},
			{"num_turns", pick("undone", 1, 2, "x", nil)},
			{"error", rarely("failed", "x", any([]member{{"message", text()}}))},
			{"role", pick("role", "user", "assistant", "developer")},
			{"content", pick("content", nil, any([]any{[]member{{"type", "input_text"}, {"text", says()}}}))},
			{"name", pick("name", "update_plan", "update_plan", "shell")},
			{"call_id", id()},
			{"arguments", pick("arguments", arguments, arguments, "{}", "no", nil)},
			{"output", pick("output", "Plan updated", "Plan updated", "no", nil)},
			{"plan", plan()},
			{"last_agent_message", says()},
			{"source", pick("source", "cli", "cli", any([]member{{"subagent", "review"}}))},
		}
		line = []member{
			{"timestamp", pick("time", "2026-11-21T01:31:02.689Z", "2026-11-20T01:31:02.689Z", nil)},
			{"type", weighted(rt, "9 response_item 9 event_msg 2 session_meta 1 turn_context 1 world_state 1 new_thing")},
			{"payload", item},
		}
		if rapid.IntRange(0, 5).Draw(rt, "bare") == 0 {
			line = item
		}
	case 4:
		block := func() any {
			return []member{
				{"type", pick("block", "text", "tool_use", "tool_use", "tool_result", "tool_result", "thinking", nil)},
				{"text", says()},
				{"id", id()},
				{"name", pick("tool", "TodoWrite", "TaskCreate", "TaskUpdate", "Bash", "Bash", "Task")},
				{"input", []member{{"todos", items()}, {"taskId", "1"}, {"subject", text()}, {"status", "completed"}, {"prompt", "A"}}},
				{"tool_use_id", id()},
				{"content", text()},
				{"is_error", pick("is_error", nil, nil, true)},
			}
		}
		line = []member{
			{"type", weighted(rt, "8 assistant 8 user 2 system 1 attachment 1 summary 1 api-request-blob 1 new_thing")},
			{"subtype", pick("subtype", "turn_duration", "api_error", "local_command", nil)},
			{"sessionId", session()},
			{"uuid", pick("uuid", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9", nil, nil, nil)},
			{"parentUuid", pick("parent", "u1", "u2", nil)},
			{"version", pick("version", "2.1.300", "2.0.1", nil)},
			{"isSidechain", pick("side", false, false, false, true)},
			{"agentId", rarely("agent id", "a1")},
			{"isMeta", rarely("meta", true)},
			{"isApiErrorMessage", rarely("api error", true)},
			{"message", pick("message", any([]member{{"content", says()}}),
				any([]member{{"content", []any{block()}}, {"stop_reason", pick("stop", "end_turn", "tool_use", "tool_use", nil)}, {"id", pick("message id", "m", "n")}}),
				any([]member{{"model", pick("model", "m", "m", "m", "<synthetic>")}, {"content", []any{block()}}, {"stop_reason", pick("stop", "end_turn", "tool_use", nil)}}),
				any([]member{{"content", []any{block(), block()}}}))},
			{"toolUseResult", pick("result", nil, "Error", any([]member{{"newTodos", items()}}), any([]member{{"agentId", "a1"}}),
				any([]member{{"task", []member{{"id", "1"}, {"subject", text()}}}, {"success", true}}))},
		}
	case 5:
		call := []member{
			{"id", id()},
			{"name", pick("tool", "write_todos", "write_todos", "tracker_create_task", "tracker_update_task", "ls")},
			{"args", []member{{"todos", items()}, {"title", "T"}, {"id", "aa"}, {"status", "closed"}}},
			{"status", pick("status", "success", "success", "error", "cancelled", "executing")},
			{"resultDisplay", pick("display", nil, any([]member{{"todos", items()}}), any([]member{{"todos", []any{[]member{{"description", "[aa] [TASK] T"}, {"status", "pending"}}}}}))},
		}
		line = []member{
			{"id", pick("message id", "m1", "m2", "m3", "m4", "m5")},
			{"type", weighted(rt, "9 gemini 3 user 1 error 1 info 1 warning 1 new_thing")},
			{"content", pick("content", "", says(), any([]any{[]member{{"text", says()}}}))},
			{"toolCalls", pick("calls", nil, any([]any{call}))},
		}
		switch rapid.IntRange(0, 9).Draw(rt, "other line") {
		case 0:
			line = []member{{"sessionId", session()}, {"projectHash", "h"}, {"kind", pick("kind", "main", "subagent", nil)}}
		case 1:
			line = []member{{"$rewindTo", pick("rewind", "m1", "m3", "x")}}
		case 2:
			line = []member{{"$set", []member{{"messages", []any{line}}}}}
		}
	default:
		line = []member{
			{"type", weighted(rt, "6 message 4 tool_use 6 tool_result 2 result 1 init 1 error")},
			{"timestamp", "2026-11-21T01:31:02.689Z"},
			{"session_id", session()},
			{"role", pick("role", "assistant", "user")},
			{"content", says()},
			{"delta", pick("delta", true, nil)},
			{"tool_name", pick("tool name", "write_todos", "write_todos", "tracker_create_task", "ls")},
			{"tool_id", id()},
			{"parameters", []member{{"todos", items()}}},
			{"stats", rarely("stats", any([]member{{"tool_calls", 2}}))},
			{"status", pick("call status", "success", "success", "error")},
			{"error", pick("call error", nil, any([]member{{"type", "tool_not_registered"}}))},
		}
	}
	// Some members are missing, and their order is random.
	line = rapid.Permutation(line).Draw(rt, "order")
	if len(line) > 2 && rapid.IntRange(0, 4).Draw(rt, "leave out") == 0 {
		line = line[:len(line)-rapid.IntRange(1, 3).Draw(rt, "left out")]
	}
	return line
}

// FuzzScan compares the scanner with the decoder on input that the fuzzer writes.
func FuzzScan(f *testing.F) {
	for _, name := range streamtest.Recordings {
		// Small inputs keep the fuzzer fast.
		var small []byte
		for line := range strings.Lines(streamtest.Recording(f, name)) {
			if len(line) < 1000 && len(small) < 3000 {
				small = append(small, line...)
			}
		}
		f.Add(small)
	}
	f.Add([]byte("{\"type\":\"item.completed\",\"item\":{\"id\":\"a\\\"\",\"type\":\"command_execution\"}}\n[}]\n{\"a\":[}"))
	f.Fuzz(func(t *testing.T, input []byte) { streamtest.Agree(t, sound(input)) })
}

// FuzzReader reads random bytes as every format. The reader must not panic, and must count every line.
func FuzzReader(f *testing.F) {
	f.Add([]byte("{\n, "))
	f.Add([]byte("{\n, \n "))
	f.Add([]byte("{\n\"sessionId\": \"g\",\n\"projectHash\": \"h\"}\n"))
	f.Add([]byte("[12:00] [INFO] {\"type\":\"turn.started\"}\x1b[0m\n[x] {\n \"type\":\"thread.started\",\n \"thread_id\":\"a\"\n}\n"))
	f.Add([]byte("x {\n\x1b[1m{\n \"a\": [1,\n{}\n]\n},\x1b[0m\n} {\n\"type\":\"\\ud83d\"\n}\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, format := range agents.Formats() {
			for _, lenient := range []bool{false, true} {
				r := agents.NewReader(bytes.NewReader(input), stream.Options{Format: stream.Format(format), Lenient: lenient})
				r.SetLimit(1 << 16)
				for {
					if _, err := r.Next(); err != nil {
						break
					}
				}
				sum, lines := r.Summary(), 0
				for line := range bytes.Lines(input) {
					if len(bytes.Trim(line, " \t\r\n")) > 0 {
						lines++
					}
				}
				if sum.Lines != lines || sum.Bytes != int64(len(input)) || sum.Skipped.Total() > lines {
					t.Errorf("%s: %d of %d lines, %d of %d bytes, %+v", format, sum.Lines, lines, sum.Bytes, len(input), sum.Skipped)
				}
				sum.TextLines()
			}
		}
	})
}
