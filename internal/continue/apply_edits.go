package continuation

import (
	"fmt"
	"slices"

	"onward/internal/session"
	"onward/internal/todo"
)

// Import appends items to the list, or replaces it by them. An empty list clears it then, as it does
// for a model that writes one.
func Import(doc *session.Document, items []todo.Item, replace bool, by string, now todo.Time) (session.Change, error) {
	change := todo.Append
	if replace {
		change = todo.Replace
	}
	edit, err := change(doc.Todos.Current(), items, now)
	e := Event{Type: Edited, Items: edit.Items, Touched: edit.Touched, Change: edit.What, Source: "cli", By: by}
	switch {
	case err != nil:
		return session.Change{}, err
	case len(items) == 0 && !replace:
		return session.Change{}, nil
	case len(items) == 0:
		e = Event{Type: Todos, Change: "replaced the list with an empty one", Source: "cli", By: by}
	}
	return Apply(doc, e, now)
}

// Undo returns the list to what it was before its last n changes, by their entries in the history.
// An agent's undo is refused if one of them was the user's. Gates says that it may also change the gates that items have.
func Undo(doc *session.Document, entries []session.Entry, n int, gates, agent bool, now todo.Time) (session.Change, error) {
	to, undone, err := session.StateBefore(doc, entries, n)
	if err != nil {
		return session.Change{}, err
	}
	by := todo.ByUser
	if agent {
		by = ""
		if at := slices.IndexFunc(undone, func(e session.Entry) bool { return e.Person }); at >= 0 {
			return session.Change{}, todo.ForbiddenUndo(undone[at].Change)
		}
	}
	what := "undid: " + undone[0].Change
	if len(undone) > 1 {
		what = fmt.Sprintf("undid %d changes, back to before: %s", len(undone), undone[len(undone)-1].Change)
	}
	return Apply(doc, Event{Type: Undone, Items: to.Items, Inactive: !to.Active, Back: to.Rev, Gates: gates, Change: what, Source: "cli", By: by}, now)
}
