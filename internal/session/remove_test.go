package session

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"onward/internal/durable"
)

// nothingElse stands for sessions of which nobody else keeps anything.
func nothingElse(Name) (bool, error) { return false, nil }

// cutOff deletes the list as a command does that is killed when the document is gone, and nothing else of it.
func cutOff(t *testing.T, s *files) {
	t.Helper()
	tx, err := durable.Begin(s.Dir, document(name), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.End()
	if err := tx.Remove(nil); err != nil {
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
	// The same command again has something to do, once.
	names, err := s.Named([]string{name.String()})
	if err != nil || len(names) != 1 {
		t.Fatalf("got %v, %v", names, err)
	}
	if err := s.Delete(name, nothingElse); err != nil {
		t.Error(err)
	}
	if left, err := s.Leftovers(); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := os.Lstat(filepath.Join(s.Dir, historyPath(name))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the history: %v", err)
	}
	if err := s.Delete(name, nothingElse); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
}

// TestNewListHasNoHistory of the one that had its name, from which repair would bring it back.
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

func TestDeletedEarlierIsSkipped(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	if err := s.Delete(name, nothingElse); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Named([]string{name.String()}); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
	other := Name{Session: "other", Agent: Primary}
	if _, err := s.Update(other, "", noon, func(*Document) (Change, error) { return Change{What: "x"}, nil }); err != nil {
		t.Fatal(err)
	}
	if names, err := s.Named([]string{name.String(), "other"}); err != nil || len(names) != 1 || names[0].Session != "other" {
		t.Errorf("got %v, %v", names, err)
	}
	if _, err := s.Named([]string{"never", "other"}); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
}

// TestSessionNamedLikeABackup stays where the one is deleted whose copy it seems to be.
func TestSessionNamedLikeABackup(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	other := Name{Session: name.String() + ".json.corrupt-00000000"}
	if _, err := s.Update(other, "", noon, func(*Document) (Change, error) { return Change{What: "x"}, nil }); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(name, nothingElse); err != nil {
		t.Fatal(err)
	}
	if d, err := s.Load(other); d == nil || err != nil {
		t.Errorf("got %v, %v", d, err)
	}
}
