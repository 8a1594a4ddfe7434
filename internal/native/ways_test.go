package native_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/exchange"
	"onward/internal/native"
	"onward/internal/todo"
)

// These tests check that a list, or a call of a todo tool, yields the same list whichever way it arrives: through a
// stream, a transcript, a hook, `todo write`, `todo import`, `event -`, or the scheduler's
// todo_write. They compare the lists as they were read, before they are merged with the user's own items.

// way is a kind of stream that can contain calls: its first line, and a function that returns the lines of the n-th call.
type way struct {
	begin string
	line  func(c call, n int) string
}

// call is an accepted call: its input, and its result as data and as a text.
type call struct {
	Tool, Input, Result, Said string
}

// streams are the ways for each kind of calls: those of the tools of Claude Code, Gemini CLI and Cursor, and those that write a whole list.
var streams = map[string]map[string]way{
	"claude": {
		"stream": {
			`{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1.0","tools":[]}`,
			func(c call, n int) string {
				return fmt.Sprintf(`{"type":"assistant","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}}
{"type":"user","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]},"tool_use_result":%s}`, n, c.Tool, c.Input, n, quoted(c.Said), c.Result)
			},
		},
		"transcript": {
			`{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"s","version":"2.1.0","isSidechain":false,"message":{"role":"user","content":"go"}}`,
			func(c call, n int) string {
				return fmt.Sprintf(`{"type":"assistant","uuid":"a%d","parentUuid":"u%d","sessionId":"s","version":"2.1.0","isSidechain":false,"message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}}
{"type":"user","uuid":"u%d","parentUuid":"a%d","sessionId":"s","version":"2.1.0","isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]},"toolUseResult":%s}`,
					n, n-1, n, c.Tool, c.Input, n, n, n, quoted(c.Said), c.Result)
			},
		},
		"hook": {"claude", func(c call, _ int) string {
			return fmt.Sprintf(`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":%q,"tool_input":%s,"tool_response":%s}`, c.Tool, c.Input, either(c.Result, c.Said))
		}},
	},
	"gemini": {
		"stream": {
			`{"type":"init","timestamp":"","session_id":"g"}`,
			func(c call, n int) string {
				return fmt.Sprintf(`{"type":"tool_use","tool_name":%q,"tool_id":"t%d","parameters":%s}
{"type":"tool_result","tool_id":"t%d","status":"success","output":%s}`, c.Tool, n, c.Input, n, quoted(c.Said))
			},
		},
		"chat": {
			`{"sessionId":"g","projectHash":"h","startTime":"","kind":"main"}
{"id":"m0","type":"user","content":"go"}`,
			func(c call, n int) string {
				return fmt.Sprintf(`{"id":"m%d","type":"gemini","content":"","toolCalls":[{"id":"c%d","name":%q,"args":%s,"status":"success","result":[{"functionResponse":{"response":{"output":%s}}}]}]}`,
					n, n, c.Tool, c.Input, quoted(c.Said))
			},
		},
		"hook": {"gemini", func(c call, _ int) string {
			return fmt.Sprintf(`{"session_id":"g","hook_event_name":"AfterTool","tool_name":%q,"tool_input":%s,"tool_response":{"llmContent":%s}}`, c.Tool, c.Input, quoted(c.Said))
		}},
	},
	"cursor": {
		"stream": {
			`{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/p","session_id":"c","model":"Auto","permissionMode":"default"}`,
			func(c call, n int) string {
				return fmt.Sprintf(`{"type":"tool_call","subtype":"completed","call_id":"w%d","tool_call":{"updateTodosToolCall":{"args":%s,"result":{"success":{}}}},"session_id":"c"}`, n, c.Input)
			},
		},
		"hook": {"cursor", func(c call, _ int) string {
			return fmt.Sprintf(`{"conversation_id":"c","hook_event_name":"postToolUse","tool_name":"update_todos","tool_input":%s,"tool_output":"{}"}`, c.Input)
		}},
	},
	"list": {
		"qwen": {
			`{"type":"system","subtype":"init","session_id":"q","qwen_code_version":"0.15","tools":["todo_write"]}`,
			func(c call, n int) string {
				return fmt.Sprintf(`{"type":"assistant","session_id":"q","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use","id":"t%d","name":"todo_write","input":%s}]}}
{"type":"user","session_id":"q","parent_tool_use_id":null,"message":{"content":[{"type":"tool_result","tool_use_id":"t%d","content":"ok"}]}}`, n, c.Input, n)
			},
		},
		"opencode": {"", func(c call, n int) string {
			return fmt.Sprintf(`{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todowrite","callID":"w%d","state":{"status":"completed","input":%s}}}`, n, c.Input)
		}},
		"kimi": {`{"role":"meta","type":"system.version","version":"1"}`, func(c call, n int) string {
			return fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"type":"function","id":"w%d","function":{"name":"TodoList","arguments":%s}}]}
{"role":"tool","tool_call_id":"w%d","content":"Todo list updated"}`, n, quoted(c.Input), n)
		}},
		"llxprt": {`{"type":"init","timestamp":"","session_id":"l"}`, func(c call, n int) string {
			return fmt.Sprintf(`{"type":"tool_use","tool_name":"todo_write","tool_id":"t%d","parameters":%s}
{"type":"tool_result","tool_id":"t%d","status":"success"}`, n, c.Input, n)
		}},
		"acp": {`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"a","prompt":[]}}`, func(c call, _ int) string {
			return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a","update":{"sessionUpdate":"plan","entries":` + entries(c) + `}}}`
		}},
		"rollout": {`{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}`, func(c call, n int) string {
			return fmt.Sprintf(`{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":%s,"call_id":"c%d"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c%d","output":"Plan updated"}}`, quoted(`{"plan":`+entries(c)+`}`), n, n)
		}},
		"claude's hook":  {"claude", hooked("TodoWrite")},
		"qwen's hook":    {"qwen", hooked("todo_write")},
		"vscode's hook":  {"vscode", hooked("manage_todo_list")},
		"kimi's hook":    {"kimi", hooked("SetTodoList")},
		"copilot's hook": {"copilot", hooked("todo_write")},
		"opencode's hook": {"opencode", func(c call, _ int) string {
			return `{"type":"todo.updated","properties":{"sessionID":"o","todos":` + entries(c) + `}}`
		}},
		"codex's hook": {"codex", func(c call, n int) string {
			return hooked("update_plan")(call{Input: `{"plan":` + entries(c) + `}`}, n)
		}},
		"generic hook": {"generic", func(c call, _ int) string { return `{"event":"todos","session_id":"s","todos":` + entries(c) + `}` }},
	},
}

func hooked(tool string) func(call, int) string {
	return func(c call, _ int) string {
		return fmt.Sprintf(`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":%q,"tool_input":%s,"tool_response":{}}`, tool, c.Input)
	}
}

func quoted(text string) string { return string(must(json.Marshal(text))) }

func either(result, said string) string {
	if result != "null" {
		return result
	}
	return quoted(said)
}

// entries returns the list of an input that is {"todos": the list}.
func entries(c call) string { return strings.TrimSuffix(strings.TrimPrefix(c.Input, `{"todos":`), "}") }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestEveryWayInReadsTheSameList draws lists as models write them, and reads each in every way.
func TestEveryWayInReadsTheSameList(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := call{Tool: "TodoWrite", Input: `{"todos":` + drawList(rt) + `}`, Said: "ok"}
		c.Result = rapid.SampledFrom([]string{"null", `{"oldTodos":[],"newTodos":[]}`, `{"newTodos":` + entries(c) + `}`}).Draw(rt, "result")
		want := agree(rt, "list", []call{c})
		if got := agree(rt, "claude", []call{c}); got != want {
			rt.Errorf("%s\nclaude %s\nothers %s", c.Input, got, want)
		}
		written, err := native.Decode([]byte(entries(c)))
		if err == nil && show(written) != want {
			rt.Errorf("%s\nthrough a hook  %s\nthrough write   %s", c.Input, want, show(written))
		}
		if text := native.Read([]byte(quoted(entries(c)))); strings.HasPrefix(entries(c), "[{") && show(text.Items) != show(native.Read([]byte(entries(c))).Items) {
			rt.Errorf("%s\nas a string %s", c.Input, show(text.Items))
		}
		imported, errImport := exchange.Agents(nil).Decode(exchange.Source{Format: exchange.JSON}, []byte(entries(c)))
		event, _, errEvent := continuation.ReadEvent([]byte(`{"type":"todos","items":` + entries(c) + `}`))
		scheduled, errScheduled := native.Decode([]byte(c.Input)) // the scheduler's todo_write calls this
		for name, other := range map[string]struct {
			items []todo.Item
			err   error
		}{"import": {imported.Items, errImport}, "event": {event.Items, errEvent}, "todo_write": {scheduled, errScheduled}} {
			if (other.err == nil) != (err == nil) || err == nil && show(other.items) != want {
				rt.Errorf("%s\nwrite %s, %v\n%s %s, %v", c.Input, show(written), err, name, show(other.items), other.err)
			}
		}
	})
}

// TestEveryWayInFollowsTheSameCalls draws calls that change single items, and reads them in
// every way that can contain them.
func TestEveryWayInFollowsTheSameCalls(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) call{"claude": drawTaskCall, "gemini": drawTrackerCall, "cursor": drawPatch} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				agree(rt, name, rapid.SliceOfN(rapid.Custom(draw), 1, 8).Draw(rt, "calls"))
			})
		})
	}
}

// agree reads calls in all ways of a kind, fails the test if the resulting lists differ, and returns the list.
func agree(t *rapid.T, kind string, calls []call) (want string) {
	first := ""
	for name, w := range streams[kind] {
		got := ""
		if strings.HasSuffix(name, "hook") {
			got = throughHook(t, w, calls)
		} else {
			got = throughStream(t, w, calls)
		}
		if first == "" {
			first, want = name, got
		} else if got != want {
			t.Errorf("%+v\nthrough %s %s\nthrough %s %s", calls, first, want, name, got)
		}
	}
	return want
}

func throughHook(t *rapid.T, w way, calls []call) string {
	var saved []todo.Item
	for i, c := range calls {
		event, err := agents.Hook(w.begin).Read([]byte(w.line(c, i+1)), agents.Tools(), agents.FailureTexts())
		if err != nil {
			t.Fatalf("%s: %v", w.line(c, i+1), err)
		}
		if event.List == nil {
			continue
		}
		if items, ok := event.List(native.SavedList{Items: saved}); ok {
			saved = items
		}
	}
	return show(saved)
}

func throughStream(t *rapid.T, w way, calls []call) (list string) {
	var b strings.Builder
	b.WriteString(w.begin + "\n")
	for i, c := range calls {
		b.WriteString(w.line(c, i+1) + "\n")
	}
	r := agents.NewReader(strings.NewReader(b.String()), stream.Options{})
	for {
		updates, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range updates {
			if u.Event.Type == continuation.Todos {
				list = show(u.Event.Items)
			}
		}
	}
}

// show returns items as text.
func show(items []todo.Item) string {
	var b strings.Builder
	for _, it := range items {
		fmt.Fprintf(&b, "[%q %q %s %q %s %q %q %q", it.ID, it.Content, it.Status, it.NativeStatus, it.Priority, it.ActiveForm, it.BlockedBy, it.Reason)
		for _, sub := range it.Subtasks {
			fmt.Fprintf(&b, "(%q %q %s)", sub.ID, sub.Content, sub.Status)
		}
		b.WriteByte(']')
	}
	return b.String()
}

var (
	texts    = rapid.SampledFrom([]string{"a", " b ", "c\nd", "é\"\\", "x"})
	statuses = rapid.SampledFrom([]string{
		"pending", "in_progress", "completed", "cancelled", "blocked", "done", "todo", "in-progress", "canceled", "open", "closed", "TODO_STATUS_COMPLETED", "deleted", "someday", "",
	})
	ids = rapid.SampledFrom([]string{"1", "2", "3", "7", "t5xyz"})
)

func drawList(t *rapid.T) string {
	return string(must(json.Marshal(rapid.SliceOfN(rapid.Custom(drawItem), 0, 4).Draw(t, "items"))))
}

func drawItem(t *rapid.T) map[string]any {
	item := map[string]any{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(native.TextMembers[:]), 0, 2, rapid.ID[string]).Draw(t, "text members") {
		item[name] = texts.Draw(t, name)
	}
	some := func(name string, values ...any) {
		if v := rapid.SampledFrom(append(values, nil, nil)).Draw(t, name); v != nil {
			item[name] = v
		}
	}
	some("id", "1", 7, "t5xyz")
	if rapid.Bool().Draw(t, "has a status") {
		item["status"] = statuses.Draw(t, "status")
	}
	some("priority", "high", "low")
	some("activeForm", "doing it")
	some("blockedBy", []string{"1"}, []string{"7", "1"})
	some("reason", "no key")
	some("extra", 1, map[string]any{"status": "done"})
	some("subtasks", []any{}, []any{map[string]any{"id": "x", "content": "part", "status": "done", "subtasks": []any{map[string]any{"text": "deeper"}}}})
	return item
}

func drawPatch(t *rapid.T) call {
	in := map[string]any{"todos": rapid.SliceOfN(rapid.Custom(drawItem), 0, 4).Draw(t, "items")}
	if rapid.Bool().Draw(t, "merge") {
		in["merge"] = true
	}
	return call{Tool: "update_todos", Input: string(must(json.Marshal(in))), Result: "null"}
}

// drawTaskCall draws a call of one of Claude Code's Task tools, with its result as data or as a text.
func drawTaskCall(t *rapid.T) call {
	id, subject, status := ids.Draw(t, "id"), texts.Draw(t, "subject"), statuses.Draw(t, "status")
	c := call{Tool: rapid.SampledFrom([]string{"TaskCreate", "TaskUpdate", "TaskUpdate", "TaskGet", "TaskList"}).Draw(t, "tool"), Input: "{}", Result: "null"}
	asText := rapid.Bool().Draw(t, "as a text")
	result := map[string]any{}
	switch c.Tool {
	case "TaskCreate":
		c.Input = string(must(json.Marshal(map[string]any{"subject": subject, "description": "d", "activeForm": "doing"})))
		result["task"] = map[string]any{"id": id, "subject": subject}
		c.Said = "Task #" + id + " created successfully: " + subject
	case "TaskUpdate":
		in := map[string]any{"taskId": id, "extra": 1}
		for name, v := range map[string]any{"subject": subject, "status": status, "addBlockedBy": []string{"1", "2"}, "addBlocks": []any{"3", 7}} {
			if rapid.Bool().Draw(t, name) {
				in[name] = v
			}
		}
		c.Input = string(must(json.Marshal(in)))
		ok := rapid.IntRange(0, 4).Draw(t, "refused") > 0
		result["success"], result["taskId"] = ok, id
		if c.Said = "Updated task #" + id + " status"; !ok {
			c.Said = "Task not found"
		}
	case "TaskGet":
		result["task"] = map[string]any{"id": id, "subject": "x", "status": "pending", "blockedBy": []string{"2"}}
		c.Said = "Task #" + id + ": x\nStatus: pending\nDescription: d\nBlocked by: #2"
	case "TaskList":
		result["tasks"] = []any{map[string]any{"id": id, "subject": "x", "status": "completed", "blockedBy": []string{}}}
		c.Said = "#" + id + " [completed] x"
	}
	if !asText {
		c.Result = string(must(json.Marshal(result)))
	}
	return c
}

// drawTrackerCall draws a call of Gemini's task tracker. Before it changes a task, it creates it, since a
// stream does not know other tasks.
func drawTrackerCall(t *rapid.T) call {
	id := rapid.SampledFrom([]string{"43aa00", "00ff11"}).Draw(t, "id")
	title, status := texts.Draw(t, "title"), rapid.SampledFrom([]string{"open", "in_progress", "blocked", "closed", "someday"}).Draw(t, "status")
	in := map[string]any{}
	c := call{Tool: rapid.SampledFrom([]string{"tracker_create_task", "tracker_create_task", "tracker_update_task", "tracker_add_dependency", "tracker_list_tasks"}).Draw(t, "tool"), Result: "null"}
	switch c.Tool {
	case "tracker_create_task":
		in["title"], in["type"] = title, "task"
		if rapid.Bool().Draw(t, "waits") {
			in["dependencies"] = []string{"00ff11"}
		}
		c.Said = "Created task " + id + ": " + title
	case "tracker_update_task":
		in["id"], in["status"] = id, status
		c.Said = "Updated task " + id + ". Status: " + status
	case "tracker_add_dependency":
		in["taskId"], in["dependencyId"] = id, "00ff11"
		c.Said = "Linked " + id + " -> 00ff11."
	case "tracker_list_tasks":
		c.Said = "- [" + id + "] listed (" + status + ")"
	}
	c.Input = string(must(json.Marshal(in)))
	return c
}
