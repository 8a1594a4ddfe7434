package session

import (
	"slices"

	"onward/internal/store"
	"onward/internal/todo"
)

// Commit makes a change the next revision of a document.
func (r *rules) Commit(doc *Document, op string, did Change) (store.Write, error) {
	if op != "" {
		doc.Applied = store.Settle(doc.Applied, func(a Applied) bool { return r.known.Knows(a.Op) })
	}
	if s := r.store; doc.Rev == 0 && did.What != "" && s.Folders != nil && s.project.Dir != "" && doc.Project == s.project.Dir {
		at := s.Folders.Place(doc.Project)
		doc.Place, doc.Repository = at.Git, at.Repository
	}
	if doc.HadSettings == "" && did.What != "" {
		doc.HadSettings = r.store.settingsOf(doc)
	}
	return commit(doc, op, did, r.now)
}

func commit(doc *Document, op string, did Change, now todo.Time) (store.Write, error) {
	if did.What == "" {
		return store.Write{}, nil
	}
	previous := doc.Todos.Rev
	doc.Rev++
	doc.enter(op, did)
	doc.UpdatedAt = now
	if did.List {
		doc.Todos.Rev, doc.Todos.UpdatedAt = doc.Rev, now
	}
	data, items, err := encode(doc)
	w := store.Write{Data: data, Now: now.Time()}
	if err == nil && (did.List || len(did.Events) > 0) {
		w.Line, w.Trim = doc.entry(items, previous, did), doc.Rev%keptLines == 0
	}
	return w, err
}

// enter records the operation of a commit: its id for a while, and for an id that a caller supplied also its result.
func (d *Document) enter(op string, did Change) {
	d.Op = store.Operation(op)
	d.Ops = store.Remember(d.Ops, d.Op)
	if op != "" {
		d.Applied = append(d.Applied, Applied{Op: op, Rev: d.Rev, Change: did.What})
	}
}

// applied returns the result of an operation if the document still has it.
func (d *Document) applied(op string) *Applied {
	if at := slices.IndexFunc(d.Applied, func(a Applied) bool { return a.Op == op }); at >= 0 {
		return &d.Applied[at]
	}
	return nil
}

// memoryKind describes the memories of lists.
var memoryKind = store.MemoryKind("operations")

// Memory returns what is remembered of operations that lists do not have any more.
func (s *Store) Memory() store.Memory { return store.Memory{Backend: s.Backend, Kind: &memoryKind} }

// Recall adds the result of an operation to a document, if only the memory has it.
func (s *Store) Recall(doc *Document, op string, now todo.Time) error {
	_, err := s.recall(doc, op, now)
	return err
}

// recall does the same as Recall, and returns the memory if it had to be read.
func (s *Store) recall(doc *Document, op string, now todo.Time) (store.Recollection, error) {
	if slices.Contains(doc.Ops, op) || doc.applied(op) != nil {
		return nil, nil
	}
	known, err := s.Memory().Read(Name{doc.Session, doc.Agent}.String(), now.Time())
	if err != nil {
		return nil, err
	}
	a := Applied{}
	again, err := known.Result(op, &a)
	if again && err == nil {
		a.Op = op
		doc.Applied = append(doc.Applied, a)
	}
	return known, err
}

// remember moves results of a committed document to its memory, where it has many. If that fails, they stay in the
// document, and the next operation tries it again.
func remember(memory store.Memory, name string, applied []Applied, now todo.Time) {
	var ops []store.Applied
	for _, a := range store.Due(applied) {
		ops = append(ops, store.Applied{Op: a.Op, Result: &Applied{Rev: a.Rev, Change: a.Change}})
	}
	if len(ops) > 0 {
		_ = memory.Add(name, ops, now.Time())
	}
}

// PriorResult returns the result of an operation that was applied before, and returns the document
// to the revision that it produced.
func (r *rules) PriorResult(doc *Document, op string) (did Change, again bool, err error) {
	if r.known, err = r.store.recall(doc, op, r.now); err != nil {
		return did, false, err
	}
	a := doc.applied(op)
	if a == nil && !slices.Contains(doc.Ops, op) {
		return did, false, nil
	}
	did.What = "applied before"
	if a != nil {
		did.What, doc.Rev = a.Change, a.Rev
	}
	// The history tells which items it changed. Without a history, this is all that remains unknown.
	entries, _ := doc.Entries()
	for _, e := range entries {
		if e.Op == op {
			did = Change{What: e.Change, By: e.By, Person: e.Person, Touched: e.Touched, List: true}
			doc.Rev = e.Rev
		}
	}
	return did, true, nil
}
