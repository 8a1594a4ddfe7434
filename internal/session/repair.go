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

// Diagnose looks at a list and writes nothing. Its error is one that repair cannot fix.
func (s *Store) Diagnose(name Name) (Diagnosis, error) {
	return s.diagnosed(name, s.list(name, 0).Diagnose)
}

// diagnosed adds the newest good state of the history.
func (s *Store) diagnosed(name Name, diagnose func(string) (store.Diagnosis, error)) (d Diagnosis, err error) {
	if err := CheckName(name); err != nil {
		return d, err
	}
	entries, unread := s.Entries(name)
	d.Good = newest(entries)
	if unread != nil {
		diagnose = s.list(name, 0).Diagnose
	}
	if d.Diagnosis, err = diagnose(name.String()); err == nil && d.Problem != nil {
		// An empty list must not replace one that could still be restored.
		err = unread
	}
	return d, err
}

// newest returns the entry of the last change.
func newest(entries []Entry) *Entry {
	if len(entries) == 0 {
		return nil
	}
	last := slices.MaxFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Rev, b.Rev) })
	return &last
}

// Repair puts the newest good state in the place of a damaged document, or an empty one if there is none,
// after it has kept a copy. A sound document is left alone.
// What is only in the document is lost: counters, settings and the owner.
func (s *Store) Repair(name Name, now todo.Time) (Diagnosis, error) {
	return s.diagnosed(name, func(text string) (store.Diagnosis, error) {
		return s.list(name, now).Repair(text, func() (store.Write, error) {
			entries, err := s.Entries(name)
			if err != nil {
				return store.Write{}, err
			}
			return restore(newDocument(name, now), newest(entries), now)
		})
	})
}

// restore commits a new document with the state of an entry.
func restore(doc *Document, good *Entry, now todo.Time) (store.Write, error) {
	did := Change{What: "repaired: no good state was known, the list is empty", By: "cli", List: true}
	if good != nil {
		doc.Rev, doc.Todos.Rev = good.Rev, good.Rev
		doc.Todos.Active, doc.Todos.Items = good.Active, good.Items
		did.What = "repaired: the list as it was after: " + good.Change
	}
	return commit(doc, "", did, now)
}

// Accept makes a document valid that was edited by hand: one whose only problem is its checksum.
// It is committed as it is, so that the edit can be undone. Any other damage stays, and is the error.
func (s *Store) Accept(name Name, now todo.Time) (Diagnosis, error) {
	return s.diagnosed(name, func(text string) (store.Diagnosis, error) {
		return s.list(name, now).Accept(text, func(doc *Document) Change {
			entries, _ := s.Entries(name)
			if good := newest(entries); good != nil {
				doc.Rev = max(doc.Rev, good.Rev)
			}
			return Change{What: "accepted an edit by hand", By: "cli", List: true}
		})
	})
}
