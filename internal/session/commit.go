package session

import (
	"slices"

	"onward/internal/store"
	"onward/internal/todo"
)

// Commit makes a change the next revision of a document.
func (r *rules) Commit(doc *Document, op string, did Change) (store.Write, error) {
	if s := r.store; doc.Rev == 0 && did.What != "" && s.Folders != nil && s.project.Dir != "" && doc.Project == s.project.Dir {
		at := s.Folders.Identity(doc.Project)
		doc.Place, doc.Repository = at.Git, at.Repository
	}
	if doc.HadSettings == "" && did.What != "" {
		name := r.store.losableSettingsName(doc)
		if r.store.hasSettings(name) {
			doc.HadSettings = name
		} else if doc.Rev == 0 && r.store.othersHadSettings(name) {
			return store.Write{}, r.store.namePlaceOfSettings(name, &store.ReadError{What: settingsKind.Name, Name: name, Err: errLostSettings()})
		}
	}
	return commit(doc, op, did, r.logged, r.now)
}

func commit(doc *Document, op string, did Change, logged store.LoggedResults, now todo.Time) (store.Write, error) {
	if did.What == "" {
		return store.Write{}, nil
	}
	previous := doc.Todos.Rev
	doc.Rev++
	doc.Op = store.OperationID(op)
	doc.OperationIDs = store.KeepOperation(doc.OperationIDs, doc.Op)
	doc.Operations = addOperation(doc.Operations, logged, Operation{ID: op, Rev: doc.Rev, Change: did.What})
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

// HasCommit reports whether the document goes back to the commit of an operation that made a revision, if it remembers that.
func (d *Document) HasCommit(rev uint64, op string) bool {
	return d.Rev-rev >= uint64(len(d.OperationIDs)) || slices.Contains(d.OperationIDs, op)
}

// operationLogKind describes the logs of operations on lists.
var operationLogKind = store.OperationLogKind("operations")

// OperationLog has the operations that lists do not have any more.
func (s *Store) OperationLog() store.OperationLog {
	return store.OperationLog{Backend: s.Backend, Kind: &operationLogKind}
}

// FindOperation adds the result of an operation to a document, if only the log has it.
func (s *Store) FindOperation(doc *Document, op string, now todo.Time) error {
	_, err := s.findOperation(doc, op, now)
	return err
}

// findOperation does the same, and returns what the log has if it had to be read.
func (s *Store) findOperation(doc *Document, op string, now todo.Time) (store.LoggedResults, error) {
	if slices.Contains(doc.OperationIDs, op) {
		return nil, nil
	}
	a, logged, err := findOperation(doc.Operations, s.OperationLog(), Name{doc.Session, doc.Agent}.String(), op, now)
	if a != nil && logged != nil {
		doc.Operations = append(doc.Operations, *a)
	}
	return logged, err
}

// The rule of operations, for every document that callers change with ids: the document keeps the last ones with their results, its log
// those before.

// findOperation returns the result of an operation that a document keeps or that is in its log, and what the log has if it had to be
// read; nil if the operation was never applied.
func findOperation(kept []Operation, log store.OperationLog, name, op string, now todo.Time) (*Operation, store.LoggedResults, error) {
	if at := slices.IndexFunc(kept, func(a Operation) bool { return a.ID == op }); at >= 0 {
		return &kept[at], nil, nil
	}
	logged, err := log.Read(name, now.Time())
	if err != nil {
		return nil, nil, err
	}
	a := &Operation{}
	if again, err := logged.Result(op, a); !again || err != nil {
		return nil, logged, err
	}
	a.ID = op
	return a, logged, nil
}

// addOperation adds one to those that a document keeps, without those that are in its log. A caller that wants no result gives no id.
func addOperation(kept []Operation, logged store.LoggedResults, a Operation) []Operation {
	if a.ID == "" {
		return kept
	}
	return append(store.OperationsToKeep(kept, func(a Operation) bool { return logged.Has(a.ID) }), a)
}

// logOperations moves results of a committed document to its log, if it has many. If that fails, they stay in the
// document, and the next operation tries it again.
func logOperations(log store.OperationLog, name string, operations []Operation, now todo.Time) {
	var ops []store.Operation
	for _, a := range store.OperationsToLog(operations) {
		ops = append(ops, store.Operation{ID: a.ID, Result: &Operation{Rev: a.Rev, Change: a.Change}})
	}
	if len(ops) > 0 {
		_ = log.Add(name, ops, now.Time())
	}
}

// OperationResult returns the result of an operation that was applied before, and returns the document
// to the revision that it produced.
func (r *rules) OperationResult(doc *Document, op string) (did Change, again bool, err error) {
	if r.logged, err = r.store.findOperation(doc, op, r.now); err != nil {
		return did, false, err
	}
	at := slices.IndexFunc(doc.Operations, func(a Operation) bool { return a.ID == op })
	if at < 0 && !slices.Contains(doc.OperationIDs, op) {
		return did, false, nil
	}
	did.What = "applied before"
	if at >= 0 {
		did.What, doc.Rev = doc.Operations[at].Change, doc.Operations[at].Rev
	}
	// The history tells which items it changed, and what their gates showed. Without a history, this is all that remains unknown.
	entries, _ := doc.Entries()
	for _, e := range entries {
		if e.Op == op {
			did = Change{What: e.Change, By: e.By, Person: e.Person, Touched: e.Touched, List: true, Events: e.Events}
			doc.Rev = e.Rev
		}
	}
	return did, true, nil
}
