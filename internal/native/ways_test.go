package native_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/agent"
	continuation "onward/internal/continue"
	"onward/internal/exchange"
	"onward/internal/hook"
	"onward/internal/native"
	"onward/internal/todo"
)

// TestEveryWayInReadsTheSameList draws lists as models write them, and sends each through a hook, through streams,
// and, where strict reading accepts it, through `todo write` and `todo import`.
func TestEveryWayInReadsTheSameList(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := drawList(rt)
		want, kept := throughHook(rt, list)
		for name, read := range map[string]func(*rapid.T, string) (string, bool){"claude": throughClaude, "opencode": throughOpencode} {
			if got, ok := read(rt, list); got != want || ok != kept {
				rt.Errorf("%s\nthrough a hook  %v %s\nthrough %s %v %s", list, kept, want, name, ok, got)
			}
		}
		strict, err := native.Decode([]byte(list))
		imported, errImport := exchange.Decode(exchange.JSON, "", []byte(list))
		if err == nil && show(strict) != want {
			rt.Errorf("%s\nthrough a hook  %s\nthrough write   %s", list, want, show(strict))
		}
		if errImport == nil && show(imported.Items) != want {
			rt.Errorf("%s\nthrough a hook  %s\nthrough import  %s", list, want, show(imported.Items))
		}
		if (err == nil) != (errImport == nil) {
			rt.Errorf("%s\nwrite: %v\nimport: %v", list, err, errImport)
		}
	})
}

// show writes what a call says of the items.
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

func drawList(t *rapid.T) string {
	items := rapid.SliceOfN(rapid.Custom(drawItem), 0, 4).Draw(t, "items")
	data, err := json.Marshal(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func drawItem(t *rapid.T) map[string]any {
	item := map[string]any{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(native.TextMembers[:]), 0, 2, rapid.ID[string]).Draw(t, "text members") {
		item[name] = rapid.SampledFrom([]string{"a", " b ", "c\nd", "é\"\\", "x"}).Draw(t, name)
	}
	some := func(name string, values ...any) {
		if v := rapid.SampledFrom(append(values, nil, nil)).Draw(t, name); v != nil {
			item[name] = v
		}
	}
	some("id", "1", 7, "t5xyz")
	some("status", "pending", "in_progress", "completed", "cancelled", "blocked", "done", "todo", "in-progress", "canceled", "deleted", "someday")
	some("priority", "high", "low")
	some("activeForm", "doing it")
	some("blockedBy", []string{"1"}, []string{"7", "1"})
	some("reason", "no key")
	some("extra", 1, map[string]any{"status": "done"})
	some("subtasks", []any{}, []any{map[string]any{"id": "x", "content": "part", "status": "done", "subtasks": []any{map[string]any{"text": "deeper"}}}})
	return item
}

func throughHook(t *rapid.T, list string) (string, bool) {
	for _, a := range hook.Agents() {
		if a.Name != "claude" {
			continue
		}
		call, err := a.Read([]byte(`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":` + list + `},"tool_response":{}}`))
		if err != nil || call.List == nil {
			t.Fatalf("%s: %v", list, err)
		}
		items, ok := call.List(nil)
		return show(items), ok
	}
	t.Fatal("no agent")
	return "", false
}

func throughClaude(t *rapid.T, list string) (string, bool) {
	return throughStream(t, `{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1.0","tools":[]}
{"type":"assistant","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use","id":"t","name":"TodoWrite","input":{"todos":`+list+`}}]}}
{"type":"user","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}
`)
}

func throughOpencode(t *rapid.T, list string) (string, bool) {
	return throughStream(t, `{"type":"tool_use","timestamp":1500,"sessionID":"o","part":{"tool":"todowrite","callID":"w","state":{"status":"completed","input":{"todos":`+list+`}}}}
`)
}

func throughStream(t *rapid.T, input string) (list string, found bool) {
	r := agent.NewReader(strings.NewReader(input), agent.Options{})
	for {
		updates, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list, found
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range updates {
			if u.Event.Type == continuation.Todos {
				list, found = show(u.Event.Items), true
			}
		}
	}
}
