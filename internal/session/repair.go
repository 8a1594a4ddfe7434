package session

import (
	"cmp"
	"slices"

	"onward/internal/store"
	"onward/internal/todo"
)

// Diagnosis is the result of examining a list.
type Diagnosis struct {
	store.Diagnosis
	Good *Entry // the newest state that the history has; nil if there is none
}

// newest returns the entry of the last change.
func newest(entries []Entry) *Entry {
	if len(entries) == 0 {
		return nil
	}
	last := slices.MaxFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Rev, b.Rev) })
	return &last
}

// Repair looks at a list, and repairs it if it is damaged. Its error is one that no remedy can fix.
// To restore puts the newest good state in the place of the document, or an empty one if there is none, after a copy
// was kept: what is only in the document is lost, counters, settings and the owner. To accept makes a document
// valid whose only problem is its checksum, and commits it as it is, so that the edit can be undone.
func (s *Store) Repair(name Name, remedy store.Remedy, now todo.Time) (d Diagnosis, err error) {
	if err := CheckName(name); err != nil {
		return d, err
	}
	entries, unread := s.Entries(name)
	d.Good = newest(entries)
	if unread != nil {
		remedy = store.Examine
	}
	restored := func(v store.Value) (store.Write, error) {
		entries, err := entriesOf(name, v.Lines)
		if err != nil {
			return store.Write{}, err
		}
		return restore(newDocument(name, now), newest(entries), now)
	}
	d.Diagnosis, err = s.list(name, now).Repair(name.String(), remedy, restored, func(doc *Document) Change {
		entries, _ := doc.Entries()
		if good := newest(entries); good != nil {
			doc.Rev = max(doc.Rev, good.Rev)
		}
		return Change{What: "accepted an edit by hand", By: "cli", List: true}
	})
	if err == nil && d.Problem != nil {
		// An empty list must not replace one that could still be restored.
		err = unread
	}
	return d, err
}

// restore commits a new document with the state of an entry.
func restore(doc *Document, good *Entry, now todo.Time) (store.Write, error) {
	did := Change{What: "repaired: no good state was known, the list is empty", By: "cli", List: true}
	if good != nil {
		doc.Rev, doc.Todos.Rev = good.Rev, good.Rev
		doc.Todos.Active, doc.Todos.Items = good.Active, good.Items
		did.What = "repaired: the list as it was after: " + good.Change
	}
	return commit(doc, "", did, nil, now)
}
