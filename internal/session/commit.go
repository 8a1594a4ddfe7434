package session

import (
	"slices"

	"onward/internal/store"
	"onward/internal/todo"
)

// Commit makes a change the next revision of a document.
func (r *rules) Commit(doc *Document, op string, did Change) (store.Write, error) {
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
	d.Applied = slices.DeleteFunc(d.Applied, func(a Applied) bool { return !slices.Contains(d.Ops, a.Op) })
	if op != "" {
		d.Applied = append(d.Applied, Applied{Op: op, Rev: d.Rev, Change: did.What})
	}
}

// PriorResult returns the result of an operation that was applied before, and returns the document
// to the revision that it produced.
func (r *rules) PriorResult(doc *Document, op string) (did Change, again bool) {
	if !slices.Contains(doc.Ops, op) {
		return did, false
	}
	did.What = "applied before"
	for _, a := range doc.Applied {
		if a.Op == op {
			did.What, doc.Rev = a.Change, a.Rev
		}
	}
	// The history records which items it changed; without a history only that is unknown.
	entries, _ := r.store.Entries(r.name)
	for _, e := range entries {
		if e.Op == op {
			did = Change{What: e.Change, By: e.By, Touched: e.Touched, List: true}
			doc.Rev = e.Rev
		}
	}
	return did, true
}
