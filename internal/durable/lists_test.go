package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/store"
)

func TestNeverSavedList(t *testing.T) {
	s := onFiles(filepath.Join(t.TempDir(), "store"), 0)
	if d, err := s.Load(name); d != nil || err != nil {
		t.Errorf("got %v, %v", d, err)
	}
	if h, err := s.History(name); h != nil || err != nil {
		t.Errorf("history: got %v, %v", h, err)
	}
	if _, err := os.Lstat(s.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading made the store: %v", err)
	}
	// A writer that confirmed nothing has saved nothing.
	c, err := s.Update(name, "", noon, func(d *session.Document) (session.Change, error) { return session.Change{}, nil })
	if err != nil || c.Changed || c.Doc.Rev != 0 || c.Doc.Agent != session.Primary {
		t.Errorf("got %+v, %v", c, err)
	}
	if d, err := s.Load(name); d != nil || err != nil {
		t.Errorf("after it: got %v, %v", d, err)
	}
}

func TestCommit(t *testing.T) {
	s := onFiles(filepath.Join(t.TempDir(), "a", "store"), time.Minute)
	first := mustAdd(t, s, "a")
	second := mustAdd(t, s, "b")
	if !first.Changed || first.Doc.Rev != 1 || second.Doc.Rev != 2 || first.Doc.Op == second.Doc.Op || first.Doc.Op == "" {
		t.Errorf("got rev %d op %q, rev %d op %q", first.Doc.Rev, first.Doc.Op, second.Doc.Rev, second.Doc.Op)
	}
	d := mustLoad(t, s)
	is, err := session.Encode(d)
	want, bad := session.Encode(second.Doc)
	if err := errors.Join(err, bad); err != nil || !bytes.Equal(is, want) || d.Todos.Rev != 2 {
		t.Errorf("got  %s\nwant %s, %v", is, want, err)
	}
	// A change that is not about the list adds no state to the history.
	c, err := s.Update(name, "", noon, func(d *session.Document) (session.Change, error) {
		d.Continuation.Turns++
		return session.Change{What: "turn ended"}, nil
	})
	if err != nil || c.Doc.Rev != 3 || c.Doc.Todos.Rev != 2 {
		t.Errorf("got %+v, %v", c.Doc, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]fs.FileMode{
		s.Dir: 0o700, filepath.Join(s.Dir, sessionsDir): 0o700, filepath.Join(s.Dir, historyDir): 0o700,
		s.Path(name): 0o600, filepath.Join(s.Dir, historyPath(name)): 0o600, filepath.Join(s.Dir, document{session.Key(name)}.lockPath()): 0o600,
	} {
		if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got %v, %v, want %v", filepath.Base(path), info.Mode(), err, want)
		}
	}
}

func TestBusyLock(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	holder, err := beginTransaction(s.Dir, document{session.Key(name)}, patience{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := addItem(onFiles(s.Dir, 0), "b"); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v", err)
	}
	// Readers, and writers of other lists, do not wait.
	mustLoad(t, s)
	if _, err := onFiles(s.Dir, 0).Update(session.Name{Session: "other"}, "", noon, func(*session.Document) (session.Change, error) { return session.Change{What: "x"}, nil }); err != nil {
		t.Errorf("another list: %v", err)
	}
	holder.end()
	mustAdd(t, s, "b")
}

// TestAbandonedLockWait checks that a writer that has given up waiting does not acquire the lock later.
func TestAbandonedLockWait(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	holder, err := beginTransaction(s.Dir, document{session.Key(name)}, patience{})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := addItem(onFiles(s.Dir, 5*time.Millisecond), "b"); !errors.Is(err, store.ErrBusy) {
			t.Errorf("got %v", err)
		}
	}
	holder.end()
	mustAdd(t, s, "b")
	if d := mustLoad(t, s); d.Rev != 2 {
		t.Errorf("rev %d", d.Rev)
	}
}

func TestLostDocumentIsCorrupt(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	if err := os.Remove(s.Path(name)); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time after a writer has seen it
		if _, err := s.Load(name); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("load: got %v", err)
		}
		if _, err := addItem(s, "b"); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("update: got %v", err)
		}
	}
}

func TestLostDocumentAndLock(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	for _, path := range []string{s.Path(name), filepath.Join(s.Dir, document{session.Key(name)}.lockPath())} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Load(name); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

func TestFolderInPlaceOfFile(t *testing.T) {
	for _, path := range []string{documentPath(name), document{session.Key(name)}.lockPath(), historyPath(name), sessionsDir + "/../" + historyDir} {
		s := testStore(t)
		mustAdd(t, s, "a")
		at := filepath.Join(s.Dir, path)
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		want := store.ErrForeign
		if path != sessionsDir+"/../"+historyDir {
			folder(t, at)
		} else if err := os.WriteFile(at, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := addItem(s, "b"); !errors.Is(err, want) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestSweepFileOfDeadWriter(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	// A writer that dies before its rename leaves these files.
	temp := ".s.tmp-0123456789ab"
	left := filepath.Join(s.Dir, sessionsDir, temp)
	lock := filepath.Join(s.Dir, sessionsDir, "s.lock")
	record := "saved\n" + temp + "\n"
	record += strings.Repeat(" ", 319-len(record)) + "\n"
	if err := errors.Join(os.WriteFile(lock, []byte(record), 0o600), os.WriteFile(left, []byte(`{"half":`), 0o600)); err != nil {
		t.Fatal(err)
	}
	// The temporary file of another list does not belong to this one.
	other := filepath.Join(s.Dir, sessionsDir, ".s2.tmp-0123456789ab")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d := mustLoad(t, s); d.Rev != 1 {
		t.Errorf("rev %d", d.Rev)
	}
	mustAdd(t, s, "b")
	if _, err := os.Lstat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := os.Lstat(other); err != nil {
		t.Errorf("another list's file is gone: %v", err)
	}
}

// TestForgedLockFileRemovesNothing checks that a lock file with a forged content cannot make a writer remove another file.
func TestForgedLockFileRemovesNothing(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	for _, forged := range []string{"../history/s.jsonl", "s.json", ".s.tmp-/../s.json", "../../x", strings.Repeat("a", 999)} {
		record := fmt.Sprintf("saved\n%s\n", forged)
		if err := os.WriteFile(filepath.Join(s.Dir, document{session.Key(name)}.lockPath()), []byte(record), 0o600); err != nil {
			t.Fatal(err)
		}
		mustAdd(t, s, "b")
	}
	if h, err := s.History(name); err != nil || len(h) != 6 {
		t.Errorf("%d entries, %v", len(h), err)
	}
}

func TestDocumentMovedUnderLock(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	data, _ := os.ReadFile(s.Path(name))
	_, err := s.Update(name, "", noon, func(d *session.Document) (session.Change, error) {
		// Another program writes without a lock.
		other := append([]byte(" "), data...)
		return session.Change{What: "x"}, os.WriteFile(s.Path(name), other, 0o600)
	})
	if !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v", err)
	}
	if names := temporaries(t, s); len(names) > 0 {
		t.Errorf("left over: %v", names)
	}
}

func temporaries(t testing.TB, s *files) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(s.Dir, "*", ".*tmp*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestDocumentHiddenDuringCommit hides the document for a moment during a commit, as some file systems in user space do.
// A reader must wait for the writer.
func TestDocumentHiddenDuringCommit(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	tx, err := beginTransaction(s.Dir, document{session.Key(name)}, patience{})
	if err != nil {
		t.Fatal(err)
	}
	aside := s.Path(name) + ".aside"
	if err := os.Rename(s.Path(name), aside); err != nil {
		t.Fatal(err)
	}
	impatient := onFiles(s.Dir, 0)
	if _, err := impatient.Load(name); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("without waiting: got %v", err)
	}
	loaded := make(chan error)
	go func() {
		_, err := s.Load(name)
		loaded <- err
	}()
	if err := os.Rename(aside, s.Path(name)); err != nil {
		t.Fatal(err)
	}
	tx.end()
	if err := <-loaded; err != nil {
		t.Error(err)
	}
}

func folder(t testing.TB, dir string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestNoteCreatesNoStore(t *testing.T) {
	s := testStore(t)
	none := onFiles(filepath.Join(s.Dir, "none"), 0)
	if err := none.UpdateActivity(name, func(a *session.Activity) { a.Kind = "tool-start" }); err != nil || none.Activity(name) != (session.Activity{}) {
		t.Errorf("without a store: %v", err)
	}
	if _, err := os.Lstat(none.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a sign of life made the store: %v", err)
	}
	mustAdd(t, s, "a")
	folder(t, filepath.Join(s.Dir, activityPath(name)))
	if err := s.UpdateActivity(name, func(a *session.Activity) { a.Kind = "x" }); !errors.Is(err, store.ErrForeign) || s.Activity(name) != (session.Activity{}) {
		t.Errorf("a folder in its place: %v", err)
	}
}

// TestForeignFilesAreNotListed checks that files in the folder of the lists whose names are not names of lists are ignored.
func TestForeignFilesAreNotListed(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	for _, foreign := range []string{"notes.txt", ".json", "x+.json", "NUL.json", ".c.tmp-123"} {
		if err := os.WriteFile(filepath.Join(s.Dir, sessionsDir, foreign), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if saved, err := s.SavedLists(name); err != nil || len(saved) != 1 {
		t.Errorf("%v, %v", saved, err)
	}
}
