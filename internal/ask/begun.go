package ask

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// initialList is the list that an agent's session began with. One that reports only its changes hands over all other items as it read them
// then. By now the user, or the agent itself with a command, may have changed those, and added or deleted some.
type initialList struct {
	items map[string]todo.Item // those that the agent has not changed, by their ids
	known map[string]bool      // the ids of those that it has, or had
}

func newInitialList(items []todo.Item) *initialList {
	b := &initialList{items: map[string]todo.Item{}, known: map[string]bool{}}
	for _, it := range items {
		b.items[it.ID], b.known[it.ID] = it, true
	}
	return b
}

// noteChanged notes which items the agent has changed.
func (b *initialList) noteChanged(items []todo.Item) {
	if b == nil {
		return
	}
	for _, it := range items {
		b.known[it.ID] = true
		if was, has := b.items[it.ID]; has && !todo.Equal([]todo.Item{was}, []todo.Item{it}) {
			delete(b.items, it.ID)
		}
	}
}

// withSavedItems returns events in which the items that the agent has not changed are as they are saved now.
func (b *initialList) withSavedItems(doc *session.Document, events []continuation.Event) []continuation.Event {
	if b == nil || !doc.Todos.Active {
		return events
	}
	events = slices.Clone(events)
	for i := range events {
		if e := &events[i]; e.Type == continuation.Todos {
			e.Items = b.savedUnlessChanged(doc.Todos.Items, e.Items)
		}
	}
	return events
}

func (b *initialList) savedUnlessChanged(saved, items []todo.Item) (out []todo.Item) {
	for _, it := range items {
		at := slices.IndexFunc(saved, func(s todo.Item) bool {
			return s.CreatedAt == it.CreatedAt && (s.ID == it.ID || s.Content == it.Content)
		})
		switch _, same := b.items[it.ID]; {
		case !same:
			out = append(out, it)
		case at >= 0:
			out = append(out, saved[at])
		}
	}
	for _, s := range saved {
		if !b.known[s.ID] && !slices.ContainsFunc(out, func(it todo.Item) bool { return it.ID == s.ID || it.Content == s.Content }) {
			out = append(out, s)
		}
	}
	return out
}
