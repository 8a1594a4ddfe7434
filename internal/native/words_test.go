package native

import (
	"testing"

	"onward/internal/todo"
)

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		word string
		want todo.Status
		own  string
	}{
		{"pending", todo.Pending, ""},
		{"blocked", todo.Blocked, ""},
		{"todo", todo.Pending, "todo"},
		{"open", todo.Pending, "open"},
		{"not-started", todo.Pending, "not-started"},
		{"in-progress", todo.InProgress, "in-progress"},
		{"TODO_STATUS_IN_PROGRESS", todo.InProgress, "TODO_STATUS_IN_PROGRESS"},
		{"In Progress", todo.InProgress, "In Progress"},
		{"done", todo.Completed, "done"},
		{"Completed", todo.Completed, "Completed"},
		{"closed", todo.Completed, "closed"},
		{"finished", todo.Completed, "finished"},
		{"COMPLETE", todo.Completed, "COMPLETE"},
		{"notStarted", todo.Pending, "notStarted"},
		{"canceled", todo.Cancelled, "canceled"},
	} {
		if s, own, ok := ParseStatus(c.word); s != c.want || own != c.own || !ok {
			t.Errorf("%q: got %q, %q, %v", c.word, s, own, ok)
		}
	}
	for _, word := range []string{"", "someday", "completed?", "todo_status_", "in  progress"} {
		if s, _, ok := ParseStatus(word); ok || s != "" {
			t.Errorf("%q: got %q", word, s)
		}
	}
}
