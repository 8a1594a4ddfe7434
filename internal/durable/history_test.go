package durable

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

func appendLine(t testing.TB, s *files, line string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(s.Dir, historyPath(name)), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
}

func historySize(t testing.TB, s *files) (size, lines int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Dir, historyPath(name)))
	if err != nil {
		t.Fatal(err)
	}
	return len(data), bytes.Count(data, []byte("\n"))
}

// TestHistoryIsBoundedInBytes checks which states stay in a history that is too long: always the newest and the one before,
// and four states of a list that did not become shorter, whatever their size is.
func TestHistoryIsBoundedInBytes(t *testing.T) {
	s := testStore(t)
	text := strings.Repeat("a", todo.MaxText)
	bound, longest := int(session.Key(name).Kind.Log.Bound), 0
	sizes := []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 40, 1, 1, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 1, 1, 1}
	for i, n := range sizes {
		_, err := s.Update(name, "", noon, func(d *session.Document) (session.Change, error) {
			d.Todos.Items = nil
			for j := range n {
				d.Todos.Items = append(d.Todos.Items, todo.Item{ID: fmt.Sprint(j), Content: text, Status: todo.Pending})
			}
			return session.Change{What: "replaced", List: true}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		entries, err := s.History(name)
		least := min(i+1, 2)
		if i > 2 && slices.Max(sizes[i-3:i]) <= n {
			least = 4
		}
		if err != nil || len(entries) < least || entries[0].Rev != uint64(i+1) || len(entries[0].Items) != n || i > 0 && len(entries[1].Items) != sizes[i-1] {
			t.Fatalf("change %d: the newest states are not kept: %d entries, %v", i+1, len(entries), err)
		}
		longest = max(longest, n*todo.MaxText)
		if size, lines := historySize(t, s); size > max(bound, 9*longest) {
			t.Fatalf("change %d: the file has %d bytes in %d lines", i+1, size, lines)
		}
	}
	if names := temporaries(t, s); len(names) > 0 {
		t.Errorf("left over: %v", names)
	}
}

// TestWriterWithLostDocumentAndLock checks that a writer that has to create the lock file again does not take a lost list for a new one.
func TestWriterWithLostDocumentAndLock(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	for _, path := range []string{s.Path(name), filepath.Join(s.Dir, document{session.Key(name)}.lockPath())} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := addItem(s, "b"); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("got %v", err)
		}
	}
}

// TestUnreadableHistoryIsNotEmpty checks that an unreadable history is an error. As an empty one, it would let repair replace
// the list by an empty one.
func TestUnreadableHistoryIsNotEmpty(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	path := filepath.Join(s.Dir, historyPath(name))
	if err := errors.Join(os.Rename(path, path+"-away"), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.History(name); !errors.Is(err, store.ErrForeign) {
		t.Errorf("history: got %v", err)
	}
	if _, err := s.Entries(name); !errors.Is(err, store.ErrForeign) {
		t.Errorf("entries: got %v", err)
	}
	if err := os.WriteFile(s.Path(name), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Repair(name, store.Restore, noon); !errors.Is(err, store.ErrForeign) {
		t.Errorf("repair: got %v", err)
	}
	if got, _ := os.ReadFile(s.Path(name)); string(got) != "{" {
		t.Errorf("the document became %s", got)
	}
}

// TestSweepPartiallyTrimmedHistory checks that the file of a writer that died while it shortened the history is removed.
func TestSweepPartiallyTrimmedHistory(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	holder, err := beginTransaction(s.Dir, document{session.Key(name)}, patience{})
	if err != nil {
		t.Fatal(err)
	}
	record := []byte("saved\n.s.tmp-0123456789ab\n" + strings.Repeat(" ", 293) + "\n")
	holder.end()
	half := filepath.Join(s.Dir, historyPath(name)+".tmp")
	lock := filepath.Join(s.Dir, document{session.Key(name)}.lockPath())
	if err := errors.Join(os.WriteFile(half, []byte("{"), 0o600), os.WriteFile(lock, record, 0o600)); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, s, "b")
	if names := temporaries(t, s); len(names) > 0 {
		t.Errorf("left over: %v", names)
	}
}

// TestRepeatPartialCopy checks that a copy of a damaged document is made again if the writer died while it made the first one.
func TestRepeatPartialCopy(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	if err := os.WriteFile(s.Path(name), []byte(`{"half":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := addItem(s, "b"); !errors.Is(err, store.ErrCorrupt) {
		t.Fatalf("got %v", err)
	}
	copies, err := filepath.Glob(s.Path(name) + ".corrupt-*")
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies %v, %v", copies, err)
	}
	if err := os.WriteFile(copies[0], []byte(`{"h`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Repair(name, store.Restore, noon); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(copies[0]); err != nil || string(data) != `{"half":` {
		t.Errorf("the copy is %q, %v", data, err)
	}
}

// TestPartialLineSpoilsNoOther checks that a line of the history that a dead writer left incomplete affects no other line.
func TestPartialLineSpoilsNoOther(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	appendLine(t, s, `{"rev":9,"half":`)
	mustAdd(t, s, "b")
	mustAdd(t, s, "c")
	if entries, err := s.History(name); err != nil || len(entries) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

// TestTrimDropsPartialLine checks that shortening the history removes an incomplete line, since the next entry would be joined to it.
func TestTrimDropsPartialLine(t *testing.T) {
	s := testStore(t)
	for i := range session.MaxUndo - 1 {
		mustAdd(t, s, fmt.Sprint(i))
	}
	appendLine(t, s, `{"rev":9,"half":`)
	mustAdd(t, s, "the one that makes it shorter")
	mustAdd(t, s, "another")
	if entries, err := s.History(name); err != nil || len(entries) < session.MaxUndo-1 || entries[0].Rev != session.MaxUndo+1 || entries[1].Rev != session.MaxUndo {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}
