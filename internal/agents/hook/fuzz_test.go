package hook

import (
	"testing"

	"onward/internal/session"
	"onward/internal/todo"
)

// FuzzLastMessage reads random bytes as the end of a conversation.
func FuzzLastMessage(f *testing.F) {
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":"a"}]}}` + "\n"))
	f.Add([]byte("{\n}\n\n{\"role\":\"user\",\"content\":\"x\"}"))
	f.Fuzz(func(t *testing.T, tail []byte) {
		if message, said := new(Protocol).LastMessage(tail); said < 0 || said > len(tail) || message != "" && said == 0 {
			t.Fatalf("%q: %q, said at %d", tail, message, said)
		}
		ReachesTime(tail, "2026")
	})
}

// listOf returns a saved document with a list.
func listOf(items ...todo.Item) *session.Document {
	return &session.Document{Schema: session.Schema, Rev: 1, Session: "demo", Agent: session.Primary, Todos: session.Todos{Active: true, Items: items}}
}
