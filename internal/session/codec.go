package session

import (
	"onward/internal/store"
	"onward/internal/todo"
)

// maxDocument is the limit of one document in bytes.
const maxDocument = 4 << 20

// kind describes how lists are kept.
var kind = store.Spec{
	Name: "session", Folder: "sessions", Limit: maxDocument, Note: ".activity",
	Log: &store.Log{Folder: "history", Ending: ".jsonl", Limit: 10 * maxDocument, Bound: maxHistory, Lines: keptLines},
}

// Head returns the header of a document.
func (d *Document) Head() store.Head {
	return store.Head{Schema: d.Schema, MinReader: d.MinReader, Name: Name{d.Session, d.Agent}.String(), Saved: d.Rev > 0 || d.Op != "", MovedTo: d.MovedTo, Arriving: d.Arriving, Deleting: d.Deleting}
}

// Check validates a document against the limits and the rules of a list.
func (d *Document) Check() error {
	if len(d.Todos.Items) > todo.MaxItems {
		return store.WrapProblem(store.ErrLimit, "the list has %d items, at most %d are kept", len(d.Todos.Items), todo.MaxItems)
	}
	ids := make(map[string]struct{}, len(d.Todos.Items))
	for i := range d.Todos.Items {
		it := &d.Todos.Items[i]
		if _, twice := ids[it.ID]; twice {
			return store.WrapProblem(store.ErrCorrupt, "the id %q is duplicated in the list", it.ID)
		}
		ids[it.ID] = struct{}{}
		if err := checkEntry(i, -1, it.ID, it.Content, it.Status); err != nil {
			return err
		}
		for j := range it.Subtasks {
			sub := &it.Subtasks[j]
			if err := checkEntry(i, j, sub.ID, sub.Content, sub.StatusOrPending()); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEntry validates one item or subtask.
func checkEntry(item, sub int, id, content string, status todo.Status) error {
	place := todo.Ref{Item: item, Sub: sub}
	switch {
	case id == "":
		return store.WrapProblem(store.ErrCorrupt, "item %s has no id", place.Label())
	case len(content) > todo.MaxText:
		return store.WrapProblem(store.ErrLimit, "the text of item %s has more than %d bytes", place.Label(), todo.MaxText)
	case !status.Known():
		return store.WrapProblem(store.ErrCorrupt, "item %s has the unknown status %q", place.Label(), status)
	}
	return nil
}

// Encode returns a document as it is saved.
func Encode(doc *Document) ([]byte, error) {
	data, _, err := encode(doc)
	return data, err
}

// encode writes a document and its items, which the history needs too.
// It refuses a document that could not be read back.
func encode(doc *Document) (document, items []byte, err error) {
	if err := doc.Check(); err != nil {
		return nil, nil, err
	}
	doc.MinReader = store.ReaderVersion
	data := store.Encode(doc, 256*len(doc.Todos.Items)+2048)
	items = data[doc.Todos.from:doc.Todos.to]
	doc.Todos.from, doc.Todos.to = 0, 0
	if len(data) > maxDocument {
		return nil, nil, store.WrapProblem(store.ErrLimit, "the document would have %d bytes, at most %d are kept", len(data), maxDocument)
	}
	return data, items, nil
}
