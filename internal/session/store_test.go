package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"onward/internal/durable"
	"onward/internal/store"
	"onward/internal/todo"
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
	// A writer that had nothing to say has not saved anything either.
	c, err := s.Update(name, "", noon, func(d *Document) (Change, error) { return Change{}, nil })
	if err != nil || c.Changed || c.Doc.Rev != 0 || c.Doc.Agent != Primary {
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
	if d := mustLoad(t, s); !reflect.DeepEqual(d, second.Doc) || d.Todos.Rev != 2 {
		t.Errorf("got  %+v\nwant %+v", d, second.Doc)
	}
	// What is not about the list is no step of the history.
	c, err := s.Update(name, "", noon, func(d *Document) (Change, error) {
		d.Continuation.Turns++
		return Change{What: "turn ended"}, nil
	})
	if err != nil || c.Doc.Rev != 3 || c.Doc.Todos.Rev != 2 {
		t.Errorf("got %+v, %v", c.Doc, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]fs.FileMode{
		s.Dir: 0o700, filepath.Join(s.Dir, sessionsDir): 0o700, filepath.Join(s.Dir, historyDir): 0o700,
		s.Path(name): 0o600, filepath.Join(s.Dir, historyPath(name)): 0o600, filepath.Join(s.Dir, document(name).LockPath()): 0o600,
	} {
		if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got %v, %v, want %v", filepath.Base(path), info.Mode(), err, want)
		}
	}
}

func TestErrorChangesNothing(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	before, _ := os.ReadFile(s.Path(name))
	oops := errors.New("oops")
	_, err := s.Update(name, "", noon, func(d *Document) (Change, error) {
		d.Todos.Items = nil
		return Change{What: "cleared", List: true}, oops
	})
	if !errors.Is(err, oops) {
		t.Errorf("got %v", err)
	}
	// What is too large to be read again is refused before anything is written.
	_, err = s.Update(name, "", noon, func(d *Document) (Change, error) {
		d.Project = strings.Repeat("a", maxDocument)
		return Change{What: "grown", List: true}, nil
	})
	if !errors.Is(err, store.ErrLimit) {
		t.Errorf("got %v", err)
	}
	if after, _ := os.ReadFile(s.Path(name)); !bytes.Equal(before, after) {
		t.Errorf("the document changed: %s", after)
	}
	if h, err := s.History(name); err != nil || len(h) != 1 {
		t.Errorf("%d entries, %v", len(h), err)
	}
}

func TestBusyLock(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	holder, err := durable.Begin(s.Dir, document(name), 0, historyDir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := addItem(onFiles(s.Dir, 0), "b"); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v", err)
	}
	// Readers and writers of other lists do not wait.
	mustLoad(t, s)
	if _, err := onFiles(s.Dir, 0).Update(Name{Session: "other"}, "", noon, func(*Document) (Change, error) { return Change{What: "x"}, nil }); err != nil {
		t.Errorf("another list: %v", err)
	}
	holder.End()
	mustAdd(t, s, "b")
}

// TestAbandonedLockWait must not take the lock after all and keep it.
func TestAbandonedLockWait(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	holder, err := durable.Begin(s.Dir, document(name), 0, historyDir)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := addItem(onFiles(s.Dir, 5*time.Millisecond), "b"); !errors.Is(err, store.ErrBusy) {
			t.Errorf("got %v", err)
		}
	}
	holder.End()
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
	for range 2 { // also after a writer has seen it
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
	for _, path := range []string{s.Path(name), filepath.Join(s.Dir, document(name).LockPath())} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Load(name); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

func TestDamagedDocumentIsUnchanged(t *testing.T) {
	for _, content := range []string{"", "\x00\x00", "{", `{"schema":"onward/session/v1","session":"other"}`, `{"schema":"onward/session/v9","min_reader":9,"session":"s"}`} {
		s := testStore(t)
		mustAdd(t, s, "a")
		if err := os.WriteFile(s.Path(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if d, err := s.Load(name); d != nil || err == nil {
			t.Errorf("%q: loaded %v", content, d)
		}
		if _, err := addItem(s, "b"); err == nil {
			t.Errorf("%q: updated", content)
		}
		if got, _ := os.ReadFile(s.Path(name)); string(got) != content {
			t.Errorf("%q: became %q", content, got)
		}
	}
}

// TestNewerDocumentIsReadOnly is for the case that its writer says an older reader may read it.
func TestNewerDocumentIsReadOnly(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	data, _ := os.ReadFile(s.Path(name))
	if err := os.WriteFile(s.Path(name), store.Seal(bytes.Replace(data, []byte("session/v1"), []byte("session/v2"), 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := mustLoad(t, s); len(d.Todos.Items) != 1 {
		t.Errorf("got %+v", d)
	}
	if _, err := addItem(s, "b"); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got %v", err)
	}
}

func TestFolderInPlaceOfFile(t *testing.T) {
	for _, path := range []string{documentPath(name), document(name).LockPath(), historyPath(name), sessionsDir + "/../" + historyDir} {
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
	// This is how far a writer is that dies before its rename.
	temp := ".s.tmp-0123456789ab"
	left := filepath.Join(s.Dir, sessionsDir, temp)
	lock := filepath.Join(s.Dir, sessionsDir, "s.lock")
	record := "saved\n" + temp + "\n"
	record += strings.Repeat(" ", 319-len(record)) + "\n"
	if err := errors.Join(os.WriteFile(lock, []byte(record), 0o600), os.WriteFile(left, []byte(`{"half":`), 0o600)); err != nil {
		t.Fatal(err)
	}
	// A file of another list is none of ours.
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

// TestForgedLockFileRemovesNothing holds because the lock file is only a file.
func TestForgedLockFileRemovesNothing(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	for _, forged := range []string{"../history/s.jsonl", "s.json", ".s.tmp-/../s.json", "../../x", strings.Repeat("a", 999)} {
		record := fmt.Sprintf("saved\n%s\n", forged)
		if err := os.WriteFile(filepath.Join(s.Dir, document(name).LockPath()), []byte(record), 0o600); err != nil {
			t.Fatal(err)
		}
		mustAdd(t, s, "b")
	}
	if h, err := s.History(name); err != nil || len(h) != 6 {
		t.Errorf("%d entries, %v", len(h), err)
	}
}

func TestApplyOperationOnce(t *testing.T) {
	s := testStore(t)
	add := func(op string) Commit {
		t.Helper()
		c, err := s.Update(name, op, noon, func(d *Document) (Change, error) {
			edit, err := todo.Add(d.Todos.Items, todo.End(), []todo.Draft{{Content: op}}, noon)
			d.Todos.Items, d.Todos.Active = edit.Items, true
			return Change{What: edit.What, By: "cli", List: true, Touched: edit.Touched}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := add("op-1")
	add("op-2")
	again := add("op-1")
	if !again.Again || !again.Changed || again.Doc.Rev != 1 || !reflect.DeepEqual(again.Change, first.Change) {
		t.Errorf("got %+v, want %+v", again, first)
	}
	if d := mustLoad(t, s); d.Rev != 2 || len(d.Todos.Items) != 2 {
		t.Errorf("it was applied again: rev %d, %d items", d.Rev, len(d.Todos.Items))
	}
	// Only the last ones are remembered, or the document would grow forever.
	for i := range 16 + 4 {
		add(fmt.Sprint("later-", i))
	}
	if d := mustLoad(t, s); len(d.Ops) != 16 || add("op-1").Again {
		t.Errorf("%d operations are kept", len(d.Ops))
	}
}

// TestApplyOperationAfterFailedCommit holds for a crash between the history and the document.
func TestApplyOperationAfterFailedCommit(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	appendLine(t, s, `{"rev":2,"previous":1,"op":"op-1","at":"2026-01-01T09:00:00.000Z","change":"never","active":true,"items":[]}`+"\n")
	c, err := s.Update(name, "op-1", noon, func(d *Document) (Change, error) { return Change{What: "now", List: true}, nil })
	if err != nil || c.Again || c.Doc.Rev != 2 {
		t.Errorf("got %+v, %v", c, err)
	}
	again, err := s.Update(name, "op-1", noon, nil)
	if err != nil || again.Change.What != "now" {
		t.Errorf("got %+v, %v", again, err)
	}
}

func TestMembersOfANewerVersionSurvive(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	data, _ := os.ReadFile(s.Path(name))
	added := strings.NewReplacer(
		`{"schema"`, `{"future":{"a":[1]},"schema"`,
		`"todos":{`, `"todos":{"future":"t",`,
		`"continuation":{`, `"continuation":{"future":"c",`,
		`{"id"`, `{"future":"i","id"`,
	).Replace(string(data))
	if err := os.WriteFile(s.Path(name), store.Seal([]byte(added)), 0o600); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, s, "b")
	got, _ := os.ReadFile(s.Path(name))
	for _, want := range []string{`"future":{"a":[1]}`, `"future":"t"`, `"future":"c"`, `"future":"i"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is lost in %s", want, got)
		}
	}
}

func TestNamesDifferingOnlyInCase(t *testing.T) {
	s := testStore(t)
	save := func(n Name) error {
		_, err := s.Update(n, "", noon, func(*Document) (Change, error) { return Change{What: "x"}, nil })
		return err
	}
	for _, n := range []Name{{Session: "App"}, {Session: "App", Agent: "helper"}} {
		if err := save(n); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []Name{{Session: "app"}, {Session: "APP"}, {Session: "App", Agent: "Helper"}} {
		if err := save(n); !errors.Is(err, store.ErrID) {
			t.Errorf("%s: got %v", n, err)
		}
	}
	if err := save(Name{Session: "App"}); err != nil {
		t.Errorf("the old one: %v", err)
	}
}

func TestDocumentMovedUnderLock(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	data, _ := os.ReadFile(s.Path(name))
	_, err := s.Update(name, "", noon, func(d *Document) (Change, error) {
		// Somebody writes who does not care for locks.
		other := append([]byte(" "), data...)
		return Change{What: "x"}, os.WriteFile(s.Path(name), other, 0o600)
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

// TestRefuseDocumentOfAnotherAgent where a file was copied to another name.
func TestRefuseDocumentOfAnotherAgent(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	data, err := os.ReadFile(s.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	other := Name{Session: name.Session, Agent: "helper"}
	if err := os.WriteFile(s.Path(other), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(other); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

// TestDocumentHiddenDuringCommit waits for the writer that has it out of sight, as on a file system in user space.
func TestDocumentHiddenDuringCommit(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	tx, err := durable.Begin(s.Dir, document(name), 0)
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
	tx.End()
	if err := <-loaded; err != nil {
		t.Error(err)
	}
}
