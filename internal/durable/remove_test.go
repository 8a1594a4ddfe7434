package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
)

// cutOff deletes the list as a command does that is killed after it removed the document and before it removed the other files.
func cutOff(t *testing.T, s *files) {
	t.Helper()
	tx, err := beginTransaction(s.Dir, document{session.Key(name)}, patience{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.end()
	if err := tx.remove(); err != nil {
		t.Fatal(err)
	}
}

func TestInterruptedDeletionIsCompleted(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "secret")
	cutOff(t, s)
	if d, err := s.Load(name); d != nil || err != nil {
		t.Errorf("got %v, %v", d, err)
	}
	if left, err := s.Leftovers(); err != nil || len(left) != 1 || left[0].String() != name.String() {
		t.Errorf("left %v, %v", left, err)
	}
	// Repeating the command completes the deletion, once.
	names, err := s.ListsNamed([]string{name.String()})
	if err != nil || len(names) != 1 {
		t.Fatalf("got %v, %v", names, err)
	}
	if err := s.Delete(name); err != nil {
		t.Error(err)
	}
	if left, err := s.Leftovers(); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := os.Lstat(filepath.Join(s.Dir, historyPath(name))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the history: %v", err)
	}
	if _, err := s.ListsNamed([]string{name.String()}); !errors.Is(err, session.ErrNoSession) {
		t.Errorf("got %v", err)
	}
}

// TestNewListHasNoHistory checks that a new list does not inherit the history of a deleted one with its name, from which repair
// would restore the old list.
func TestNewListHasNoHistory(t *testing.T) {
	s := testStore(t)
	for range 3 {
		mustAdd(t, s, "secret")
	}
	cutOff(t, s)
	mustAdd(t, s, "new")
	entries, err := s.Entries(name)
	if err != nil || len(entries) != 1 || entries[0].Rev != 1 {
		t.Errorf("got %v, %v", entries, err)
	}
}

// TestSessionNamedLikeABackup deletes a session. A session whose name looks like that of its backup must stay.
func TestSessionNamedLikeABackup(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	other := session.Name{Session: name.String() + ".json.corrupt-00000000"}
	if _, err := s.Update(other, "", noon, func(*session.Document) (session.Change, error) { return session.Change{What: "x"}, nil }); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(name); err != nil {
		t.Fatal(err)
	}
	if d, err := s.Load(other); d == nil || err != nil {
		t.Errorf("got %v, %v", d, err)
	}
}

// TestNewDocumentHasNoJournal checks that a new document does not inherit the journal of a deleted one of its name.
func TestNewDocumentHasNoJournal(t *testing.T) {
	s := testStore(t).Backend.(*Store)
	k := schedule.Key(name)
	save := func() {
		err := s.Update(k, func(_ store.Value, err error) (store.Write, error) {
			return store.Write{Data: []byte("a"), Now: noon.Time()}, err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	save()
	h, err := s.Hold(k, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Append(store.Value{}, func(store.Value, error) (store.Line, error) { return store.Line{Data: []byte("line\n")}, nil }); err != nil {
		t.Fatal(err)
	}
	h.Release()
	tx, err := beginTransaction(s.Dir, document{k}, patience{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.remove(); err != nil { // the process dies here
		t.Fatal(err)
	}
	tx.end()
	if v, err := s.Get(k); v.Data != nil || !v.Deleted || err != nil {
		t.Errorf("got %+v, %v", v, err)
	}
	save()
	if v, err := s.Get(k); len(v.Log) != 0 || err != nil {
		t.Errorf("got %+v, %v", v, err)
	}
}
