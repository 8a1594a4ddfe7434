package continuation

import (
	"testing"

	"onward/internal/todo"
)

func TestProgress(t *testing.T) {
	begin := []todo.Item{item("a", todo.Pending), item("b", todo.InProgress), item("c", todo.Completed)}
	for _, c := range []struct {
		name string
		list []todo.Item
		want bool
	}{
		{"a start", set("a", todo.InProgress, begin), true},
		{"an end", set("b", todo.Completed, begin), true},
		{"a cancellation", set("a", todo.Cancelled, begin), true},
		{"a block", set("b", todo.Blocked, begin), true},
		{"a step back", set("b", todo.Pending, begin), false},
		{"a reopening", set("c", todo.Pending, begin), false},
		{"another closed status for a closed item", set("c", todo.Cancelled, begin), false},
		{"a new item", append(set("", "", begin), item("d", todo.Pending)), false},
		{"a new item that is finished", append(set("", "", begin), item("d", todo.Completed)), false},
		{"another order", []todo.Item{begin[2], begin[1], begin[0]}, false},
		{"fewer items", begin[:1], false},
	} {
		for _, by := range []Type{Todos, Edited, Undone} {
			doc := document(begin...)
			doc.Continuation.Attempts, doc.Continuation.Stagnation, doc.Continuation.TotalPrompt = 2, 2, 2
			mustApply(t, doc, Event{Type: by, Items: c.list})
			l := doc.Continuation
			if moved := l.Stagnation == 0 && l.Attempts == 0; moved != c.want || l.TotalPrompt != 2 {
				t.Errorf("%s by %s: %+v", c.name, by, l)
			}
		}
	}
}

// TestReopenedItemIsProgressOnce checks that completing a reopened item does not count as progress again. Otherwise an agent could
// reopen and complete one item forever.
func TestReopenedItemIsProgressOnce(t *testing.T) {
	doc := document(item("a", todo.Pending), item("b", todo.Pending))
	steps := []struct {
		to   todo.Status
		want bool
	}{
		{todo.InProgress, true},
		{todo.Pending, false},
		{todo.InProgress, false},
		{todo.Blocked, true},
		{todo.InProgress, false},
		{todo.Completed, true},
		{todo.Pending, false},
		{todo.InProgress, false},
		{todo.Completed, false},
		{todo.Cancelled, false},
	}
	for i, s := range steps {
		doc.Continuation.Stagnation = 2
		mustApply(t, doc, Event{Type: Todos, Items: set("a", s.to, doc.Todos.Items)})
		if moved := doc.Continuation.Stagnation == 0; moved != s.want {
			t.Errorf("step %d to %s: progress %v", i+1, s.to, moved)
		}
	}
}

// TestSubtaskIsProgressOnce checks that the first step forward of a subtask counts as progress, also if the agent writes its list without ids.
func TestSubtaskIsProgressOnce(t *testing.T) {
	list := func(statuses ...todo.Status) []todo.Item {
		it := todo.Item{Content: "item", Status: todo.Pending}
		for i, s := range statuses {
			it.Subtasks = append(it.Subtasks, todo.Subtask{Content: "part " + string(rune('a'+i)), Status: s})
		}
		return []todo.Item{it}
	}
	doc := document(item("other", todo.Pending))
	for i, step := range []struct {
		list []todo.Item
		want bool
	}{
		{list(todo.Pending, todo.Pending), false},
		{list(todo.InProgress, todo.Pending), true},
		{list(todo.Completed, todo.Pending), true},
		{list(todo.Pending, todo.Pending), false},
		{list(todo.Completed, todo.Pending), false},
		{list(todo.Completed, todo.Pending, todo.Completed), false}, // the subtask is new and already completed
		{list(todo.Completed, todo.Cancelled, todo.Completed), true},
	} {
		doc.Continuation.Attempts, doc.Continuation.Stagnation = 2, 2
		mustApply(t, doc, Event{Type: Todos, Items: step.list})
		l := doc.Continuation
		if moved := l.Stagnation == 0 && l.Attempts == 0; moved != step.want {
			t.Errorf("step %d: progress %v", i+1, moved)
		}
	}
}
