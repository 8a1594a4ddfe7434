package continuation

import (
	"onward/internal/session"
	"onward/internal/todo"
)

// BeginItem prepares the session of a worker for another item of a queue: it archives the steps of the previous item. Like
// a prompt of the user, the new item resets the counters.
func BeginItem(doc *session.Document, work *session.QueueItem, now todo.Time) (session.Change, error) {
	a := transition{doc: doc, led: &doc.Continuation, now: now, event: Event{Type: UserPrompt, Source: "cli"}}
	shown := len(doc.Current()) > 0
	if shown || doc.Todos.Emptied {
		a.archive()
	}
	if err := userPrompt(&a); err != nil {
		return session.Change{}, err
	}
	doc.Work = work
	a.record("%s began an item of %s: %s", work.Worker, work.Queue, QuoteLine(work.Content))
	a.change.List = shown
	a.change.Events = []session.Event{a.event.Record()}
	return a.change, nil
}
