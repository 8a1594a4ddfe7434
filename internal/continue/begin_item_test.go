package continuation

import (
	"strings"
	"testing"

	"onward/internal/session"
	"onward/internal/todo"
)

// TestBeginItem checks that the start of an item removes the list and the counters of the item before, and ends a pause.
func TestBeginItem(t *testing.T) {
	for name, list := range map[string]session.Todos{
		"never":    {},
		"open":     {Active: true, Items: []todo.Item{{ID: "a", Content: "a", Status: todo.Pending}}},
		"finished": {Active: true, Items: []todo.Item{{ID: "a", Content: "a", Status: todo.Completed}}},
		"emptied":  {Emptied: true, Items: []todo.Item{{ID: "a", Content: "a", Status: todo.Pending}}},
	} {
		doc := &session.Document{Session: "release.w1", Agent: session.Primary, Todos: list}
		doc.Continuation.Paused, doc.Continuation.Attempts = new(session.Paused), 2
		work := &session.QueueItem{Queue: "release", Item: "t1", Content: "port it", Worker: "w1"}
		did, err := BeginItem(doc, work, 7)
		if err != nil || doc.Current() != nil || doc.Todos.Emptied || doc.Work != work || did.List != (len(list.Items) > 0 && list.Active) {
			t.Errorf("%s: %+v, %+v, %v", name, doc.Todos, did, err)
		}
		if l := doc.Continuation; l.Paused != nil || l.Attempts != 0 || l.ClearedAt != 0 || !strings.Contains(did.What, `w1 began an item of release: "port it"`) {
			t.Errorf("%s: %+v, %q", name, l, did.What)
		}
	}
}
