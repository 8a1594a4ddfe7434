package stream_test

import (
	"bytes"
	"testing"

	"onward/test/streamtest"

	"pgregory.net/rapid"
)

// TestScanAgreesOnOtherAgents is TestScanAgreesWithDecoder for the other agents.
func TestScanAgreesOnOtherAgents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		makers := []func(*lineMaker) []member{(*lineMaker).opencode, (*lineMaker).qwen, (*lineMaker).cursor, (*lineMaker).kimi, (*lineMaker).acp}
		mostly := rapid.IntRange(0, len(makers)-1).Draw(rt, "agent")
		m := &lineMaker{rt}
		var b bytes.Buffer
		for range rapid.IntRange(1, 25).Draw(rt, "lines") {
			var line []member
			switch rapid.IntRange(0, 24).Draw(rt, "other") {
			case 0:
				line = makers[rapid.IntRange(0, len(makers)-1).Draw(rt, "other agent")](m)
			case 1:
				line = anyLine(rt, 3)
			default:
				line = makers[mostly](m)
			}
			line = rapid.Permutation(line).Draw(rt, "order")
			if len(line) > 2 && rapid.IntRange(0, 4).Draw(rt, "leave out") == 0 {
				line = line[:len(line)-1]
			}
			writeJSON(rt, &b, line)
			if rapid.IntRange(0, 9).Draw(rt, "damage") == 0 {
				b.Truncate(b.Len() - 1)
			}
			b.WriteByte('\n')
		}
		streamtest.Agree(rt, sound(b.Bytes()))
	})
}

// lineMaker draws lines with values from small pools, so that ids often match.
type lineMaker struct{ rt *rapid.T }

func (m *lineMaker) pick(label string, from ...any) any {
	return rapid.SampledFrom(from).Draw(m.rt, label)
}

func (m *lineMaker) id() any { return m.pick("id", "t1", "t1", "t2", "t\n3", nil, 7) }

func (m *lineMaker) session() any { return m.pick("session", "s1", "s1", "s1", "s1", "s2", nil) }

func (m *lineMaker) says() any {
	return m.pick("text", "", "A", "x \"q\" \\", "done\nONWARD-PAUSE: wait", "ONWARD-PAUSE: x\n\nmore", "ONWARD-", "PAUSE: y",
		"[API Error: 500]", "Todo creation blocked: x", "Error: x", nil, 5)
}

func (m *lineMaker) todos() any {
	item := []member{
		{m.pick("text key", "content", "content", "title", "description").(string), m.pick("item", "A", "B", "", nil)},
		{"id", m.pick("item id", "1", "2", nil)},
		{"status", m.pick("status", "pending", "done", "TODO_STATUS_COMPLETED", "weird")},
	}
	return m.pick("list", any([]any{item}), any([]any{item, item}), any([]any{}), nil, "none")
}

func (m *lineMaker) opencode() []member {
	return []member{
		{"type", weighted(m.rt, "3 step_start 6 tool_use 7 text 4 reasoning 3 step_finish 1 error 1 done 1 new_thing")},
		{"timestamp", m.pick("timestamp", 1500, nil)},
		{"sessionID", m.session()},
		{"part", m.pick("part", nil, "x", any([]member{
			{"sessionID", m.session()},
			{"tool", m.pick("tool", "todowrite", "todowrite", "todoread", "bash", "invalid")},
			{"callID", m.id()},
			{"text", m.says()},
			{"reason", m.pick("reason", "stop", "tool-calls", "length", "error", nil)},
			{"state", m.pick("state", nil, "x", any([]member{
				{"status", m.pick("call status", "completed", "error", "running", nil)},
				{"input", []member{{"todos", m.todos()}, {"tool", "todowrite"}}},
				{"metadata", m.pick("metadata", nil, any([]member{{"todos", m.todos()}}))},
				{"error", m.pick("call error", nil, "The user rejected permission to use this tool")},
			}))},
		}))},
		{"error", m.pick("error", nil, "x", any([]member{{"name", "MessageAbortedError"}, {"data", m.pick("data", nil, any([]member{{"message", m.says()}}))}}))},
		{"reason", "idle"},
	}
}

func (m *lineMaker) qwen() []member {
	block := func() any {
		return []member{
			{"type", m.pick("block", "text", "tool_use", "tool_use", "tool_result", nil)},
			{"text", m.says()},
			{"id", m.id()},
			{"name", m.pick("tool", "todo_write", "todo_write", "read_file", "agent", "tool_search")},
			{"input", []member{{"todos", m.todos()}}},
			{"tool_use_id", m.id()},
			{"content", m.says()},
			{"is_error", m.pick("is_error", nil, nil, true)},
		}
	}
	return []member{
		{"type", weighted(m.rt, "3 system 7 assistant 7 user 2 result 1 stream_event 1 new_thing")},
		{"subtype", m.pick("subtype", "init", "init", "model_fallback", "success", nil)},
		{"session_id", m.session()},
		{"qwen_code_version", "0.15"},
		{"tools", m.pick("tools", nil, any([]any{"todo_write"}), any([]any{"x"}))},
		{"parent_tool_use_id", m.pick("parent", nil, nil, nil, nil, "t1")},
		{"message", m.pick("message", nil, any([]member{{"content", m.says()}}), any([]member{{"content", []any{block(), block()}}}))},
		{"is_error", m.pick("failed", true, false, nil)},
		{"duration_ms", m.pick("duration", 0, 5)},
		{"error", m.pick("error", nil, "x", any([]member{{"message", m.says()}}))},
		{"result", m.says()},
	}
}

func (m *lineMaker) cursor() []member {
	return []member{
		{"type", weighted(m.rt, "2 system 3 assistant 2 thinking 2 user 9 tool_call 2 result 1 new_thing")},
		{"subtype", m.pick("subtype", "init", "started", "completed", "completed", "success", nil)},
		{"session_id", m.session()},
		{"apiKeySource", "login"},
		{"timestamp_ms", m.pick("timestamp", 1500, nil)},
		{"call_id", m.id()},
		{"tool_call", m.pick("tool_call", nil, "x", any([]member{{"readToolCall", []member{}}}), any([]member{
			{"toolCallId", "x"},
			{m.pick("tool", "updateTodosToolCall", "todoToolCall", "shellToolCall", "function").(string), []member{
				{"name", "todo_write"},
				{"args", m.pick("args", nil, any([]member{{"todos", m.todos()}, {"merge", m.pick("merge", true, false)}}))},
				{"result", m.pick("result", nil, "x", any([]member{{"success", m.pick("success", true, false, nil, any([]member{{"todos", m.todos()}}))}}), any([]member{{"error", "x"}}))},
			}},
		}))},
		{"is_error", m.pick("failed", true, false, nil)},
		{"result", m.says()},
	}
}

func (m *lineMaker) kimi() []member {
	return []member{
		{"role", weighted(m.rt, "6 assistant 8 tool 1 user 1 meta 1 odd")},
		{"content", m.pick("content", m.says(), any([]any{[]member{{"type", "text"}, {"text", m.says()}}}))},
		{"tool_calls", m.pick("calls", nil, any([]any{[]member{
			{"id", m.id()},
			{"function", []member{
				{"name", m.pick("tool", "SetTodoList", "TodoList", "Shell")},
				{"arguments", m.pick("arguments", `{"todos":[{"title":"A","status":"done"}]}`, `{}`, "x", any([]member{{"todos", m.todos()}}))},
			}},
		}}))},
		{"tool_call_id", m.id()},
		{m.pick("type key", "type", "x", "x", "x", "x").(string), m.pick("type", "session.resume_hint", "system.version", "new_thing")},
		{"session_id", m.session()},
	}
}

func (m *lineMaker) acp() []member {
	entries := func() any {
		return m.pick("plan", nil, "x", any([]member{
			{"type", m.pick("plan type", "items", "items", "markdown")},
			{m.pick("plan id key", "planId", "id").(string), m.pick("plan id", "p1", "p2")},
			{"entries", m.todos()},
		}))
	}
	return []member{
		{"jsonrpc", "2.0"},
		{"id", m.pick("request", nil, 1, 2, "x")},
		{"method", m.pick("method", "session/update", "session/update", "session/update", "session/update", "session/prompt",
			"session/cancel", "initialize", "fs/read_text_file", nil)},
		{"params", m.pick("params", nil, "x", any([]member{{"sessionId", m.session()}}), any([]member{
			{"sessionId", m.session()},
			{"update", []member{
				{"sessionUpdate", weighted(m.rt, "4 plan 3 plan_update 1 plan_removed 4 tool_call 3 tool_call_update 6 agent_message_chunk 2 agent_message 4 agent_thought_chunk 2 usage_update 2 state_update 1 new_thing")},
				{"entries", m.todos()},
				{"plan", entries()},
				{"planId", m.pick("removed", "p1", "p2", nil)},
				{"toolCallId", m.id()},
				{"title", m.pick("title", "todowrite", "bash", nil)},
				{"status", m.pick("call status", "pending", "completed", "failed", nil)},
				{"rawInput", m.pick("input", nil, any([]member{{"todos", m.todos()}}))},
				{"rawOutput", m.pick("output", nil, any([]member{{"metadata", []member{{"todos", m.todos()}}}}))},
				{"_meta", m.pick("meta", nil, nil, any([]member{{"toolName", "todo_write"}}), any([]member{{"parentToolCallId", m.id()}}))},
				{"messageId", m.pick("message", "m1", "m2", nil)},
				{"content", m.pick("content", nil, "x", any([]member{{"type", "text"}, {"text", m.says()}}), any([]any{[]member{{"text", m.says()}}}))},
				{"state", m.pick("state", "running", "idle", nil)},
				{"stopReason", m.pick("stop", "end_turn", "cancelled", nil)},
			}},
		}))},
		{"result", m.pick("result", nil, "x", any([]member{}), any([]member{{"stopReason", "end_turn"}}), any([]member{{"protocolVersion", 1}}))},
		{"error", m.pick("error", nil, nil, "x", any([]member{{"code", -32000}, {"message", m.says()}}))},
	}
}
