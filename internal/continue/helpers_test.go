package continuation

import (
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// noon is the time of these tests.
const noon todo.Time = 1_767_258_000_000

func ago(d time.Duration) todo.Time { return noon - todo.Time(d/time.Millisecond) }

func in(d time.Duration) todo.Time { return noon + todo.Time(d/time.Millisecond) }

func ptr[T any](v T) *T { return &v }

func defaults(t testing.TB) Settings {
	t.Helper()
	set, _, err := Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func item(id string, s todo.Status) todo.Item {
	it := todo.Item{ID: id, Content: "item " + id, Status: s, CreatedAt: ago(time.Hour), UpdatedAt: ago(time.Hour)}
	if s == todo.Completed {
		it.CompletedAt = ago(time.Hour)
	}
	return it
}

// document returns a saved document in which nothing forbids or delays a continuation.
func document(items ...todo.Item) *session.Document {
	if items == nil {
		items = []todo.Item{item("a", todo.Completed), item("b", todo.InProgress), item("c", todo.Pending)}
	}
	return &session.Document{
		Schema: session.Schema, Rev: 7, Op: "o", Session: "s", Agent: session.Primary,
		CreatedAt: ago(time.Hour), UpdatedAt: ago(time.Minute),
		Todos: session.Todos{Active: true, Items: items, UpdatedAt: ago(time.Minute), Rev: 7},
	}
}

// mustApply applies events to a document and increases its revision, as a commit does. It fails the test if an event is refused.
func mustApply(t testing.TB, doc *session.Document, events ...Event) session.Change {
	t.Helper()
	did, err := ApplyAll(doc, events, doc.Rev == 0, nil, noon)
	if err != nil {
		t.Fatal(err)
	}
	if did.What != "" {
		doc.Rev++
	}
	return did
}

// ask decides whether to continue, and applies the decision to the document.
func ask(t testing.TB, doc *session.Document, facts Facts) Decision {
	t.Helper()
	d, led := Decide(doc, facts, defaults(t), noon)
	doc.Continuation = led
	doc.Rev++
	return d
}

func set(id string, s todo.Status, items []todo.Item) []todo.Item {
	out := append([]todo.Item(nil), items...)
	for i := range out {
		if out[i].ID == id {
			out[i].Status = s
		}
	}
	return out
}
