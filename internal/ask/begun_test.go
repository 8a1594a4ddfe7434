package ask

import (
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestBegunList checks what remains of the list that an agent's session began with, when the agent reports a change of its own.
func TestBegunList(t *testing.T) {
	item := func(id, content string, status todo.Status, created todo.Time) todo.Item {
		return todo.Item{ID: id, Content: content, Status: status, CreatedAt: created}
	}
	one, two, own := item("a", "one", todo.Pending, 1), item("b", "two", todo.Pending, 2), item("1", "read", todo.Pending, 3)
	done := own
	done.Status = todo.Completed
	for _, c := range []struct {
		name   string
		saved  []todo.Item
		events [][]todo.Item // what the agent reports, one after another
		want   string
	}{
		{"nothing has changed since", []todo.Item{one, two, own}, [][]todo.Item{{one, two, done}}, "one pending, two pending, read completed"},
		{"an item was completed by a command", []todo.Item{item("a", "one", todo.Completed, 1), two, own}, [][]todo.Item{{one, two, done}}, "one completed, two pending, read completed"},
		{"one was deleted", []todo.Item{two, own}, [][]todo.Item{{one, two, done}}, "two pending, read completed"},
		{"one was reworded, and has another id", []todo.Item{item("c", "one", todo.Blocked, 1), two, own}, [][]todo.Item{{one, two, done}}, "one blocked, two pending, read completed"},
		{"one was added", []todo.Item{one, two, own, item("d", "new", todo.Pending, 4)}, [][]todo.Item{{one, two, done}}, "one pending, two pending, read completed, new pending"},
		{"the agent deletes its own", []todo.Item{one, two, own}, [][]todo.Item{{one, two}}, "one pending, two pending"},
		{"the agent has changed the item, and changes it back", []todo.Item{one, two, done}, [][]todo.Item{{one, two, done}, {one, two, own}}, "one pending, two pending, read pending"},
		{"it adds one, and deletes it", []todo.Item{one, two, own, item("2", "write", todo.Pending, 5)}, [][]todo.Item{{one, two, own, {ID: "2", Content: "write"}}, {one, two, own}}, "one pending, two pending, read pending"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newInitialList([]todo.Item{one, two, own})
			var events []continuation.Event
			for _, items := range c.events {
				b.noteChanged(items)
				events = append(events, continuation.Event{Type: continuation.Todos, Items: items})
			}
			doc := &session.Document{}
			doc.Todos.Active, doc.Todos.Items = true, c.saved
			got := ""
			for i, it := range b.withSavedItems(doc, events)[len(events)-1].Items {
				got += map[bool]string{true: "", false: ", "}[i == 0] + it.Content + " " + string(it.Status)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
