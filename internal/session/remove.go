package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"onward/internal/store"
)

// Delete removes a list with its history, also if they cannot be read, and with what others keep for it.
// If there never was a list, the error is ErrNoSession.
func (s *Store) Delete(name Name) error {
	_, err := s.remove(name, anyTime, nil, false)
	return err
}

func anyTime(time.Time) bool { return true }

func (s *Store) mayDelete() error {
	if s.MayDelete == nil {
		return nil
	}
	return s.MayDelete()
}

// completeDeletion completes a deletion that was cut off and keeps a list from being used, and reports whether there was one, so
// that the caller looks again: the list is gone, a new one has its name by now, or the deletion cannot be completed.
// A deletion at which another process is still at work is waited for, as long as for any other writer.
func (s *Store) completeDeletion(name Name, unusable error) bool {
	if s.RemoveDependents == nil || !errors.Is(unusable, store.ErrDeleting) {
		return false
	}
	_, _ = s.remove(name, anyTime, nil, true)
	return true
}

// ListsNamed returns the lists to delete for the given names: a session's name means all its lists.
// If one does not exist, the error is ErrNoSession. One that was deleted before is passed over among others,
// and one whose deletion was cut off is among them, so that repeating the command completes the deletion.
func (s *Store) ListsNamed(names []string) ([]Name, error) {
	saved, err := s.removable()
	if err != nil {
		return nil, err
	}
	var out []Name
	var gone error
	for _, text := range names {
		wanted, err := ParseName(text)
		if err != nil {
			return nil, err
		}
		found := false
		for _, e := range saved {
			if e.Name.String() == wanted.String() || wanted.IsMain() && e.Name.Session == wanted.Session {
				found = true
				if !slices.Contains(out, e.Name) {
					out = append(out, e.Name)
				}
			}
		}
		if !found {
			gone = &NoSessionError{wanted.String()}
			if !s.wasDeleted(wanted) {
				return nil, gone
			}
		}
	}
	if len(out) == 0 {
		return nil, gone
	}
	return out, nil
}

// wasDeleted reports whether there was a list of this name.
func (s *Store) wasDeleted(name Name) bool {
	v, err := s.Backend.Get(Key(name))
	return err == nil && v.Deleted
}

// Leftovers returns the lists that were deleted, but whose deletion was cut off, so that some of
// their files are still there. They are removed when the list is deleted again or created again.
func (s *Store) Leftovers() ([]Name, error) {
	leftovers, err := s.Backend.Leftovers(&kind, "")
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	var left []Name
	for _, t := range leftovers {
		name, err := ParseName(t.Name)
		if t.Deleted && err == nil && !slices.Contains(left, name) {
			left = append(left, name)
		}
	}
	return left, nil
}

// removable returns the saved lists, and those whose deletion was cut off, which have no time of a change.
func (s *Store) removable() ([]StoredList, error) {
	saved, err := s.SavedLists(Name{})
	if err != nil {
		return nil, err
	}
	left, err := s.Leftovers()
	for _, name := range left {
		saved = append(saved, StoredList{Name: name})
	}
	return saved, err
}

// Prunable returns the lists that were last changed before a time, and those whose deletion was cut off,
// but not those of the session kept, nor the marks of those that were moved to another store.
func (s *Store) Prunable(before time.Time, kept string) ([]Name, error) {
	saved, err := s.removable()
	saved = slices.DeleteFunc(saved, func(e StoredList) bool { return e.Name.Session == kept || !e.Changed.Before(before) })
	var old []Name
	for some := range slices.Chunk(saved, BatchSize(0)) {
		ahead := s.WithBackend(store.Prefetch(s.Backend, Keys(some)))
		for _, e := range some {
			// The mark of a moved session says where it is, and keeps two stores from having one each.
			if !ahead.Read(e).Moved() {
				old = append(old, e.Name)
			}
		}
	}
	return old, err
}

// Prune deletes lists that Prunable returned, as Delete does, but for those that runs hold, which the error names.
// It reports which it removed, even with an error.
func (s *Store) Prune(old []Name, before time.Time) ([]Name, error) {
	var removed []Name
	var first *InRunError
	for _, name := range old {
		// Another process may have changed it in the meantime.
		done, err := s.remove(name, func(changed time.Time) bool { return changed.Before(before) }, nil, false)
		if done {
			removed = append(removed, name)
		}
		var held *InRunError
		switch {
		case err == nil, errors.Is(err, ErrNoSession):
		case !errors.As(err, &held):
			return removed, err
		case first == nil:
			first = held
		default:
			first.More = append(first.More, held.Name)
		}
	}
	if first != nil {
		return removed, first
	}
	return removed, nil
}

// errOther is the error if a list is not the one to delete.
var errOther = errors.New("another list has the name")

// remove deletes a list with what belongs to it, if it is still to be deleted when it is marked, or only completes a
// deletion that was cut off. If a function tells which list is to be deleted, any other one that can be read stays.
func (s *Store) remove(name Name, goes func(changed time.Time) bool, same func(*Document) bool, cut bool) (bool, error) {
	if err := CheckName(name); err != nil {
		return false, err
	}
	// A run counts in the document that it works on, and would begin again without it.
	if !cut {
		if err := s.mayDelete(); err != nil {
			return false, err
		}
		if err := s.CheckNoWork("delete", name); err != nil {
			return false, err
		}
	}
	gone, err := s.list(name, 0).Delete(name.String(), store.Deletion[Document]{Goes: goes, Cut: cut, Mark: func(doc *Document) (w store.Write, err error) {
		if same != nil && !same(doc) {
			return w, errOther
		}
		doc.Deleting = true
		w.Data, err = Encode(doc)
		return w, err
	}, RemoveDependents: func(b store.Backend) (removed bool, err error) {
		if s.RemoveDependents != nil {
			removed, err = s.RemoveDependents(b, name)
		}
		if err == nil {
			var forgot bool
			forgot, err = s.WithBackend(b).OperationLog().Delete(name.String())
			removed = removed || forgot
		}
		return removed, err
	}})
	if errors.Is(err, store.ErrNone) {
		err = &NoSessionError{name.String()}
	}
	return gone, err
}

// CheckNoWork returns an InRunError if a run holds a session, or works on an item of its list: nobody may delete, move, replace or take
// it then. A list that cannot be read shows no such item, and may be deleted.
func (s *Store) CheckNoWork(verb string, name Name) error {
	if err := s.CheckNoRun(verb, name); err != nil {
		return err
	}
	doc, err := s.list(name, 0).Load(name.String())
	if err != nil || doc == nil {
		return nil
	}
	for i, it := range doc.Current() {
		if it.Claim == nil {
			continue
		}
		of := name.WorkerSession(it.Claim.By)
		if r, err := s.ReadRun(of); err != nil || r == nil || r.Queue != name.String() || r.Item != it.ID {
			continue
		}
		held := (*InRunError)(nil)
		if err := s.CheckNoRun(verb, of); errors.As(err, &held) {
			return &InRunError{Verb: verb, Name: name, Item: i + 1, Run: of}
		} else if err != nil {
			return err
		}
	}
	return nil
}

// CheckNoRun returns an InRunError if a run holds a session. Without a record there is no run, and nothing is written to find out: deleting makes room on a full disk.
func (s *Store) CheckNoRun(verb string, name Name) error {
	if run, err := s.Backend.Get(RunKey(name)); err == nil && run.Data == nil {
		return nil
	}
	switch held, err := s.Backend.Held(RunKey(name)); {
	case err != nil:
		return fmt.Errorf("look for a run of session %q: %w", name, err)
	case held:
		return &InRunError{Verb: verb, Name: name}
	}
	return nil
}

// InRunError is the error if something cannot be done with a session because a run holds it.
type InRunError struct {
	Verb string
	Name Name
	Item int    // the number of the item that the run works on; 0 if the session is its own
	Run  Name   // the run's own session, where Item is not 0
	More []Name // for which the same is true
}

func (e *InRunError) Error() string {
	text := fmt.Sprintf("%s session %q: %v: `onward run` is at work on it", e.Verb, e.Name, store.ErrBusy)
	if e.Item > 0 {
		text = fmt.Sprintf("%s session %q: %v: the run of session %q is at work on its item %d", e.Verb, e.Name, store.ErrBusy, e.Run, e.Item)
	}
	for _, name := range e.More {
		text += fmt.Sprintf(", and on %q", name)
	}
	return text
}

// RunSession returns the session that the run itself has.
func (e *InRunError) RunSession() Name {
	if e.Item > 0 {
		return e.Run
	}
	return e.Name
}

func (e *InRunError) Unwrap() error { return store.ErrBusy }
