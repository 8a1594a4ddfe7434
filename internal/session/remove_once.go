package session

import (
	"errors"
	"fmt"
	"strings"

	"onward/internal/object"
	"onward/internal/store"
	"onward/internal/todo"
)

// A deletion leaves no document that could remember its operation, so one log has the operations of all deletions:
// which lists it deletes, before the first one goes, and that it is complete, after the last one has gone. A retry of a
// deletion that was cut off goes on with the same lists, and a complete one is not made again. A list that somebody has made
// under one of the names since was created at another time, and stays.

// deletionsKind describes the log of deletions.
var deletionsKind = store.OperationLogKind("delete-operations")

// deletions is the name under which deletions are logged.
const deletions = "sessions"

func (s *Store) deletions() store.OperationLog {
	return store.OperationLog{Backend: s.Backend, Kind: &deletionsKind}
}

// RepairDeletions reports what is wrong with the log of deletions. To restore it, all of them are forgotten.
func (s *Store) RepairDeletions(remedy store.Remedy, now todo.Time) (problem, err error) {
	return s.deletions().Repair(deletions, remedy, now.Time())
}

// deletion is the lists that an operation deletes.
type deletion struct{ lists []deletedList }

// Fields lists the members of a deletion.
func (d *deletion) Fields(f *object.Fields) { object.List(f, "lists", &d.lists) }

func (d *deletion) names() (names []Name) {
	for _, l := range d.lists {
		names = append(names, l.name)
	}
	return names
}

// deletedList is a list that an operation deletes.
type deletedList struct {
	name    Name
	created todo.Time // 0 is a list that cannot be read, or has only some files left
}

// Fields lists the members of a list that an operation deletes.
func (l *deletedList) Fields(f *object.Fields) {
	object.Text(f, "session", &l.name.Session)
	object.Text(f.OmitEmpty(), "agent", &l.name.Agent)
	object.Time(f.OmitEmpty(), "created_at", &l.created)
}

// DeleteOnce deletes the lists of the given names, as Named finds them, if agree returns no error for them. An operation of
// the last day is not made again, and the answer is the first one. It reports which lists are gone, even with an error; nil is that none was to be deleted yet.
func (s *Store) DeleteOnce(op string, texts []string, now todo.Time, agree func([]Name) error) ([]Name, error) {
	if err := store.CheckOp(op); err != nil {
		return nil, err
	}
	log, begun := s.deletions(), op+" "+strings.Join(texts, " ") // an id has no space
	complete := begun + " complete"
	known, err := s.findDeletion(log, op, now)
	if err != nil {
		return nil, err
	}
	var d deletion
	wanted, err := known.Result(begun, &d)
	if err != nil || known.Has(complete) {
		return d.names(), err
	}
	if !wanted {
		names, err := s.ListsNamed(texts)
		if err == nil {
			err = s.mayDelete()
		}
		if err == nil {
			err = agree(names)
		}
		if err != nil {
			return nil, err
		}
		if d, err = s.logDeletion(log, op, begun, names, now); err != nil {
			return nil, err
		}
	}
	for i, l := range d.lists {
		if err := s.deleteList(l, op != ""); err != nil {
			return d.names()[:i], err
		}
	}
	if op != "" {
		_ = log.Add(deletions, []store.Operation{{ID: complete, Result: &deletion{}}}, now.Time()) // a retry then finds each list gone
	}
	return d.names(), nil
}

// findDeletion reads the log of deletions, if an operation has an id.
func (s *Store) findDeletion(log store.OperationLog, op string, now todo.Time) (store.LoggedResults, error) {
	if op == "" {
		return nil, nil
	}
	return log.Read(deletions, now.Time())
}

// logDeletion returns what a deletion with these names deletes. With an id, it is what was logged first, by this process or
// another one.
func (s *Store) logDeletion(log store.OperationLog, op, begun string, names []Name, now todo.Time) (d deletion, err error) {
	for _, name := range names {
		l := deletedList{name: name}
		if op != "" {
			if doc, _, err := s.LoadMoved(name); err == nil && doc != nil {
				l.created = doc.CreatedAt
			}
		}
		d.lists = append(d.lists, l)
	}
	if op == "" {
		return d, nil
	}
	if err := log.Add(deletions, []store.Operation{{ID: begun, Result: &d}}, now.Time()); err != nil {
		return d, err
	}
	known, err := log.Read(deletions, now.Time())
	if err == nil {
		d = deletion{}
		_, err = known.Result(begun, &d)
	}
	return d, err
}

// deleteList deletes a list. With an operation's id, one that is gone is deleted, and one that was made under its name since
// stays.
func (s *Store) deleteList(l deletedList, once bool) error {
	if !once {
		return s.Delete(l.name)
	}
	same := func(doc *Document) bool { return doc.CreatedAt == l.created }
	switch doc, _, err := s.LoadMoved(l.name); {
	case err != nil && l.created != 0:
		return fmt.Errorf("delete session %q: %w", l.name, err)
	case doc != nil && !same(doc):
		return nil
	}
	_, err := s.remove(l.name, anyTime, same, false)
	if errors.Is(err, ErrNoSession) || errors.Is(err, errOther) {
		return nil
	}
	return err
}
