package session

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"onward/internal/durable"
)

// Delete removes a list with its history. What cannot be read can be deleted too.
// Where there is none, the error is ErrNoSession.
func (s *Store) Delete(name Name) error {
	_, err := s.remove(name, func(time.Time) bool { return true })
	return err
}

// Named gives the saved lists that names stand for: a session's name is all its lists.
// If one does not exist, the error is ErrNoSession.
func (s *Store) Named(names []string) ([]Name, error) {
	saved, err := s.catalog(Name{})
	if err != nil {
		return nil, err
	}
	var out []Name
	for _, text := range names {
		wanted, err := ParseName(text)
		if err != nil {
			return nil, err
		}
		found := false
		for _, e := range saved {
			if e.Name.String() == wanted.String() || wanted.isMain() && e.Name.Session == wanted.Session {
				found = true
				if !slices.Contains(out, e.Name) {
					out = append(out, e.Name)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("%w: %q", ErrNoSession, wanted)
		}
	}
	return out, nil
}

// Prunable gives the lists that were last changed before a time, but not those of the session kept.
func (s *Store) Prunable(before time.Time, kept string) ([]Name, error) {
	saved, err := s.catalog(Name{Session: kept})
	var old []Name
	for _, e := range saved {
		if e.Name.Session != kept && e.Changed.Before(before) {
			old = append(old, e.Name)
		}
	}
	return old, err
}

// Prune removes what Prunable gives.
// It says which it removed, also beside an error.
func (s *Store) Prune(before time.Time, kept string) ([]Name, error) {
	old, err := s.Prunable(before, kept)
	if err != nil {
		return nil, err
	}
	var removed []Name
	for _, name := range old {
		// Somebody may have gone on with it meanwhile.
		done, err := s.remove(name, func(changed time.Time) bool { return changed.Before(before) })
		if done {
			removed = append(removed, name)
		}
		if err != nil && !errors.Is(err, ErrNoSession) {
			return removed, err
		}
	}
	return removed, nil
}

// remove takes a list's files away under its lock, if it is still to go then.
func (s *Store) remove(name Name, gone func(changed time.Time) bool) (bool, error) {
	if err := CheckName(name); err != nil {
		return false, err
	}
	t, err := s.begin(name)
	if err != nil {
		return false, fmt.Errorf("delete session %q: %w", name, err)
	}
	defer t.End()
	info, err := t.Root.Lstat(documentPath(name))
	switch {
	case errors.Is(err, fs.ErrNotExist) && !remembered(t.Root, name):
		return false, fmt.Errorf("%w: %q", ErrNoSession, name)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("delete session %q: %w", name, durable.SystemError(err))
	case err == nil && !gone(info.ModTime()):
		return false, nil
	}
	if err := t.Remove(remains(t.Root, name)...); err != nil {
		return errors.Is(err, ErrNotDurable), fmt.Errorf("delete session %q: %w", name, err)
	}
	return true, nil
}
