package session

import (
	"errors"
	"testing"

	"onward/internal/store"
	"onward/internal/todo"
)

func TestDeletedEarlierIsSkipped(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	if err := s.Delete(name); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ListsNamed([]string{name.String()}); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
	other := Name{Session: "other", Agent: Primary}
	if _, err := s.Update(other, "", noon, func(*Document) (Change, error) { return Change{What: "x"}, nil }); err != nil {
		t.Fatal(err)
	}
	if names, err := s.ListsNamed([]string{name.String(), "other"}); err != nil || len(names) != 1 || names[0].Session != "other" {
		t.Errorf("got %v, %v", names, err)
	}
	if _, err := s.ListsNamed([]string{"never", "other"}); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
}

// TestDeleteOnce cuts a deletion off at each of its steps and tries it again, while somebody else makes a list of the same name.
func TestDeleteOnce(t *testing.T) {
	yes := func([]Name) error { return nil }
	no := func([]Name) error { return errors.New("asked again") }
	add := func(s *kept, now todo.Time) {
		t.Helper()
		if _, err := s.Update(name, "", now, count); err != nil {
			t.Fatal(err)
		}
	}
	held := func(s *kept) (release func()) {
		h, err := s.Backend.Hold(RunKey(name), true)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteRun(h, name, &Run{Agent: "codex", Mark: "1"}, noon); err != nil {
			t.Fatal(err)
		}
		return h.Release
	}
	for what, c := range map[string]struct {
		first func(*kept) // after the first list was made at noon
		stays bool        // the list that is there before the retry
	}{
		"complete, and a new list": {func(s *kept) {
			if gone, err := s.DeleteOnce("D1", []string{name.String()}, noon, yes); err != nil || len(gone) != 1 {
				t.Error(gone, err)
			}
			add(s, noon+1)
		}, true},
		"complete, and the same list is copied back": {func(s *kept) {
			before := s.content(t, name)
			if _, err := s.DeleteOnce("D1", []string{name.String()}, noon, yes); err != nil {
				t.Error(err)
			}
			s.memory.Damage(Key(name), before)
		}, true},
		"refused while a run is at work": {func(s *kept) {
			defer held(s)()
			if gone, err := s.DeleteOnce("D1", []string{name.String()}, noon, yes); !errors.Is(err, store.ErrBusy) || len(gone) != 0 {
				t.Error(gone, err)
			}
			add(s, noon+1) // to the same list
		}, false},
		"refused, deleted by somebody else, and a new list": {func(s *kept) {
			release := held(s)
			if _, err := s.DeleteOnce("D1", []string{name.String()}, noon, yes); !errors.Is(err, store.ErrBusy) {
				t.Error(err)
			}
			release()
			if err := s.Delete(name); err != nil {
				t.Error(err)
			}
			add(s, noon+1)
		}, true},
		"killed before its first deletion": {func(s *kept) {
			if _, err := s.logDeletion(s.deletions(), "D1", "D1 "+name.String(), []Name{name}, noon); err != nil {
				t.Error(err)
			}
		}, false},
		"killed after its last deletion, and a new list": {func(s *kept) {
			d, err := s.logDeletion(s.deletions(), "D1", "D1 "+name.String(), []Name{name}, noon)
			if err == nil {
				err = s.deleteList(d.lists[0], true)
			}
			if err != nil {
				t.Error(err)
			}
			add(s, noon+1)
		}, true},
		"at the same time as another process, which was first": {func(s *kept) {
			begun := "D1 " + name.String()
			first, err := s.logDeletion(s.deletions(), "D1", begun, []Name{name}, noon)
			if err == nil {
				err = s.deleteList(first.lists[0], true)
			}
			add(s, noon+1)
			second, late := s.logDeletion(s.deletions(), "D1", begun, []Name{name}, noon+1)
			if err != nil || late != nil || second.lists[0].created != noon {
				t.Error(second, err, late)
			}
		}, true},
	} {
		t.Run(what, func(t *testing.T) {
			s := testStore(t)
			add(s, noon)
			c.first(s)
			for range 2 {
				if gone, err := s.DeleteOnce("D1", []string{name.String()}, noon+2, no); err != nil || len(gone) != 1 || gone[0] != name {
					t.Errorf("the retry: %v, %v", gone, err)
				}
			}
			if doc, err := s.Load(name); err != nil || (doc != nil) != c.stays {
				t.Errorf("left: %v, %v", doc, err)
			}
		})
	}
	s := testStore(t)
	add(s, noon)
	if gone, err := s.DeleteOnce("D1", []string{name.String()}, noon, no); gone != nil || err == nil {
		t.Error("deleted without consent", gone, err)
	}
	if gone, err := s.DeleteOnce("a b", []string{name.String()}, noon, yes); gone != nil || !errors.Is(err, store.ErrInvalidName) {
		t.Error(gone, err)
	}
}
