package schedule

import (
	"errors"
	"fmt"
	"slices"

	"onward/internal/calls"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Store keeps schedules in a backend.
type Store struct {
	Backend store.Backend // required
}

var _ calls.Queue = (*Store)(nil)

// kind describes how schedules are kept.
var kind = store.Spec{
	Name: "schedule", Folder: "schedules", Limit: maxDocument, Acts: true,
	Log: &store.Log{Folder: "schedules", Ending: ".journal", Limit: 2*maxJournal + maxDocument, Journal: true},
}

// Key returns the address of a schedule in a backend.
func Key(n session.Name) store.Key { return store.Key{Kind: &kind, Name: n.String()} }

// SessionsAwaiting returns the sessions, without the given ones, that have a call which awaits approval.
func (s *Store) SessionsAwaiting(others []session.StoredList) ([]session.StoredList, error) {
	entries, err := s.Backend.List(&kind, "", true)
	if err != nil {
		return nil, fmt.Errorf("list calls: %w", err)
	}
	var asking []session.StoredList
	for _, e := range entries {
		name, err := session.ParseName(e.Name)
		if err != nil || slices.ContainsFunc(others, func(o session.StoredList) bool { return o.Name == name }) {
			continue
		}
		// A schedule that cannot be read is reported when its calls are shown.
		if doc, err := s.Load(name); err == nil && doc != nil && len(doc.AwaitingIDs("")) > 0 {
			asking = append(asking, session.StoredList{Name: name, Changed: e.Changed})
		}
	}
	return asking, nil
}

// Commit is the result of an update.
type Commit = store.Commit[Document, Change]

// of returns the collection of schedules, for one of them.
func (s *Store) of(name session.Name, now todo.Time) store.Collection[Document, Change, *Document] {
	return store.Collection[Document, Change, *Document]{Backend: s.Backend, Kind: &kind, Rules: &rules{store: s, name: name, now: now}}
}

// rules are those of one schedule.
type rules struct {
	store  *Store
	name   session.Name
	now    todo.Time
	logged store.LoggedResults // what the log has, if an operation was looked for
}

// operationLogKind describes the logs of operations on schedules.
var operationLogKind = store.OperationLogKind("call-operations")

// OperationLog has the results of operations that schedules do not have any more.
func (s *Store) OperationLog() store.OperationLog {
	return store.OperationLog{Backend: s.Backend, Kind: &operationLogKind}
}

// logOperations moves results of operations from a committed schedule to the log, once there are many. If that fails, they
// stay in the schedule.
func (s *Store) logOperations(name session.Name, doc *Document, now todo.Time) {
	var ops []store.Operation
	due := store.OperationsToLog(doc.Operations)
	for i := range due {
		if result := (&Operation{Change: due[i].Change}); store.FitsLog(result) {
			ops = append(ops, store.Operation{ID: due[i].ID, Result: result})
		}
	}
	if len(ops) > 0 {
		_ = s.OperationLog().Add(name.String(), ops, now.Time())
	}
}

// ApplyLog applies the entries of the journal.
func (r *rules) ApplyLog(d *Document, v store.Value) error {
	return d.replayJournal(v.Log, v.Acknowledged)
}

func (r *rules) New() *Document { return newDocument(r.name, r.now) }

func (r *rules) Allow(*Document) error { return nil }

// OperationResult returns the result of an operation that was applied before.
func (r *rules) OperationResult(d *Document, op string) (did Change, again bool, err error) {
	if at := slices.IndexFunc(d.Operations, func(o Operation) bool { return o.ID == op }); at >= 0 {
		return d.Operations[at].Change, true, nil
	}
	if r.logged, err = r.store.OperationLog().Read(r.name.String(), r.now.Time()); err != nil {
		return did, false, err
	}
	var result Operation
	again, err = r.logged.Result(op, &result)
	return result.Change, again, err
}

// Head returns the header of a document.
func (d *Document) Head() store.Head {
	name := session.Name{Session: d.Session, Agent: d.Agent}
	return store.Head{Schema: d.Schema, MinReader: d.MinReader, Name: name.String(), Saved: d.Rev > 0 || d.Op != "", MovedTo: d.MovedTo, Arriving: d.Arriving}
}

// Commit makes a change the next revision of a document.
func (r *rules) Commit(d *Document, op string, did Change) (store.Write, error) {
	if did.What == "" {
		return store.Write{}, nil
	}
	d.Rev++
	d.Op = store.OperationID(op)
	d.OperationIDs = store.KeepOperation(d.OperationIDs, d.Op)
	if op != "" {
		d.Operations = append(store.OperationsToKeep(d.Operations, r.canForget), Operation{ID: op, Change: did})
	}
	d.UpdatedAt = r.now
	data, err := d.encode()
	return store.Write{Data: data, Now: r.now.Time()}, err
}

// canForget reports whether the document does not need an operation any more: the log has it, or never will.
func (r *rules) canForget(o Operation) bool {
	return r.logged.Has(o.ID) || !store.FitsLog(&Operation{Change: o.Change})
}

// Load reads a schedule; nil if there never was one.
func (s *Store) Load(name session.Name) (*Document, error) {
	if err := session.CheckName(name); err != nil {
		return nil, err
	}
	return s.of(name, 0).Load(name.String())
}

// Names returns the names of the lists that have a schedule.
func (s *Store) Names() ([]string, error) {
	entries, err := s.Backend.List(&kind, "", false)
	if err != nil {
		return nil, fmt.Errorf("list schedules: %w", err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names, nil
}

// LoadMoved reads a schedule as Load does, also one that was moved to another store, with what the backend has of it.
func (s *Store) LoadMoved(name session.Name) (*Document, store.Value, error) {
	return s.of(name, 0).LoadMoved(name.String())
}

// Rewrite changes a schedule without a new revision, also one that was moved.
func (s *Store) Rewrite(name session.Name, change func(*Document) (store.Write, error)) error {
	return s.of(name, 0).Rewrite(name.String(), change)
}

// Update changes a schedule and commits the result, once.
// If change reports nothing, nothing is written. It may run several times. An op of the last day is not applied again.
func (s *Store) Update(name session.Name, op string, now todo.Time, change func(*Document) (Change, error)) (Commit, error) {
	if err := session.CheckName(name); err != nil {
		return Commit{}, err
	}
	commit, err := s.of(name, now).Update(name.String(), op, change)
	if err == nil && op != "" && commit.IsNew() {
		s.logOperations(name, commit.Doc, now)
	}
	return commit, err
}

// Delete removes a schedule with the copies that repair made of it, and reports whether there was something.
// While a process runs its calls it is kept, and the error is store.ErrBusy.
func (s *Store) Delete(name session.Name) (bool, error) {
	deleted, err := s.remove(name)
	if err != nil {
		return deleted, err
	}
	forgot, err := s.OperationLog().Delete(name.String())
	return deleted || forgot, err
}

func (s *Store) remove(name session.Name) (bool, error) {
	v, lost := s.Backend.Get(Key(name))
	leftovers, err := s.Backend.Leftovers(&kind, name.String())
	if err != nil || lost == nil && v.Data == nil && len(leftovers) == 0 {
		return false, err
	}
	run, err := s.Begin(name)
	if err != nil {
		return false, err
	}
	defer run.End()
	err = s.Backend.Update(Key(name), func(store.Value, error) (store.Write, error) {
		return store.Write{Delete: true}, nil
	})
	if err != nil {
		return errors.Is(err, store.ErrNotDurable), fmt.Errorf("delete schedule %q: %w", name, err)
	}
	return true, nil
}

// Standing returns what the calls and messages of a list mean for whether its agent carries on.
func (s *Store) Standing(name session.Name) (calls.Standing, error) {
	doc, err := s.Load(name)
	if err != nil || doc == nil {
		return calls.Standing{}, err
	}
	counts := doc.Counts()
	standing := calls.Standing{Awaiting: doc.AwaitingIDs(""), Pending: counts[Scheduled] + counts[Executing]}
	for i := range doc.Messages {
		m := &doc.Messages[i]
		standing.Messages = append(standing.Messages, calls.Message{ID: m.Name(), By: m.By, Text: m.Text})
	}
	if standing.Pending == 0 {
		return standing, nil
	}
	standing.Running, err = s.Backend.Held(Key(name))
	return standing, err
}

// RemoveMessages removes messages from the queue that were sent to the agent.
func (s *Store) RemoveMessages(name session.Name, ids []string, now todo.Time) error {
	_, err := s.Update(name, "", now, func(d *Document) (Change, error) { return deliver(d, ids), nil })
	return err
}
