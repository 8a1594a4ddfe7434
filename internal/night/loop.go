package night

import (
	"time"
)

// endLoop interrupts the agent once its turn is a loop: it makes the same call again and again, with the same result, and nothing
// changes.
func (t *turn) endLoop() {
	loop := t.flow.Reader.FindRepeatedCall(func(since time.Time) bool { return t.listChanged(since) || t.ChangedSince(since) })
	if loop == nil {
		return
	}
	t.loop = loop
	t.process.Interrupt(interruptPatience)
}

// noteOwnList notes whether the list that the stream has shown changed the one that was there, and when it was read: it is saved later,
// perhaps after calls that follow it.
func (t *turn) noteOwnList() {
	if t.unseen.IsZero() {
		return
	}
	if doc, err := t.Store.Load(); err == nil && doc != nil && doc.Todos.Rev != t.list {
		t.list, t.changed = doc.Todos.Rev, t.unseen
	}
	t.unseen = time.Time{}
}

// listChanged reports whether the list has changed since then, and by others than the stream since the last look, or whether that is not
// known.
func (t *turn) listChanged(since time.Time) bool {
	if !t.changed.Before(since) {
		return true
	}
	now, err := t.Clock.Now()
	if err != nil {
		return true
	}
	doc, err := t.Store.Load()
	if err != nil {
		return true
	}
	if doc == nil || doc.Todos.Rev == t.list {
		return false
	}
	t.list = doc.Todos.Rev
	return doc.Todos.UpdatedAt.Since(now) <= t.Clock.Wall().Sub(since)
}
