package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"onward/internal/durable"
	"onward/internal/todo"
)

// Diagnosis is what repair found.
type Diagnosis struct {
	Problem error    // what is wrong with the document; nil where it is sound
	Copies  []string // of the damaged document, kept beside it
	Good    *Entry   // the newest state that the history has; nil where there is none

	Accepted bool // the document was edited by hand, and is valid from now on
}

// Diagnose looks at a list and writes nothing. Its error is one that repair cannot help with.
func (s *Store) Diagnose(name Name) (Diagnosis, error) {
	if err := CheckName(name); err != nil {
		return Diagnosis{}, err
	}
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return Diagnosis{}, err
	}
	defer root.Close()
	return s.diagnose(root, name)
}

func (s *Store) diagnose(root *os.Root, name Name) (Diagnosis, error) {
	_, _, err := load(root, name)
	entries, unread := readHistory(root, name)
	d := Diagnosis{Problem: err, Good: newest(entries)}
	for _, path := range kept(root, name) {
		d.Copies = append(d.Copies, filepath.Join(s.Dir, path))
	}
	slices.Sort(d.Copies)
	switch {
	case err == nil:
		return d, nil
	case !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrLimit):
		return d, err
	case unread != nil:
		// An empty list must not take the place of one that could still be had.
		return d, unread
	}
	info, err := root.Lstat(documentPath(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d, nil
	case err != nil:
		return d, durable.SystemError(err)
	}
	// A folder or a link stands there; that is for a person to move away.
	return d, durable.Regular(documentPath(name), info)
}

// newest gives the entry of the last change.
func newest(entries []Entry) *Entry {
	if len(entries) == 0 {
		return nil
	}
	last := slices.MaxFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Rev, b.Rev) })
	return &last
}

// Repair puts the newest good state in the place of a damaged document, or an empty one where there is none,
// after it has kept a copy. A sound document is left alone.
// What only the document knew is gone: counters, settings and the owner.
func (s *Store) Repair(name Name, now todo.Time) (Diagnosis, error) {
	return s.mend(name, func(t *transaction, d *Diagnosis) error {
		if err := t.restore(d.Good, now); err != nil {
			return fmt.Errorf("repair session %q: %w", name, err)
		}
		// The copy was made meanwhile.
		d.Copies = d.Copies[:0]
		for _, path := range kept(t.Root, name) {
			d.Copies = append(d.Copies, filepath.Join(s.Dir, path))
		}
		slices.Sort(d.Copies)
		return nil
	})
}

// Accept makes a document valid that was edited by hand: one that is sound but for its checksum.
// It is committed as it is, so that the edit can be undone. Any other damage stays, and is the error.
func (s *Store) Accept(name Name, now todo.Time) (Diagnosis, error) {
	return s.mend(name, func(t *transaction, d *Diagnosis) error {
		if !errors.Is(d.Problem, durable.ErrChecksum) {
			return d.Problem
		}
		data, info, err := durable.ReadFile(t.Root, documentPath(name), maxDocument)
		if err != nil {
			return &ReadError{"session", name, err}
		}
		doc, err := decode(name, data, true)
		if err != nil {
			return err
		}
		if d.Good != nil {
			doc.Rev = max(doc.Rev, d.Good.Rev)
		}
		if err := t.commit(doc, info, "", Change{What: "accepted an edit by hand", By: "cli", List: true}, now); err != nil {
			return fmt.Errorf("repair session %q: %w", name, err)
		}
		d.Accepted = true
		return nil
	})
}

// mend looks at a document under its lock, and mends it where something is wrong with it.
func (s *Store) mend(name Name, how func(*transaction, *Diagnosis) error) (Diagnosis, error) {
	if err := CheckName(name); err != nil {
		return Diagnosis{}, err
	}
	t, err := s.begin(name)
	if err != nil {
		return Diagnosis{}, fmt.Errorf("repair session %q: %w", name, err)
	}
	defer t.End()
	d, err := s.diagnose(t.Root, name)
	if d.Problem != nil && err == nil {
		err = how(t, &d)
	}
	return d, err
}

// restore keeps the damaged document and commits a new one with the state of an entry.
func (t *transaction) restore(good *Entry, now todo.Time) error {
	if _, err := keep(t.Root, t.name); err != nil {
		return err
	}
	old, err := t.Root.Lstat(documentPath(t.name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return durable.SystemError(err)
	}
	doc := newDocument(t.name, now)
	did := Change{What: "repaired: no good state was known, the list is empty", By: "cli", List: true}
	if good != nil {
		doc.Rev, doc.Todos.Rev = good.Rev, good.Rev
		doc.Todos.Active, doc.Todos.Items = good.Active, good.Items
		did.What = "repaired: the list as it was after: " + good.Change
	}
	return t.commit(doc, old, "", did, now)
}
