package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/internal/store"
)

var doc = document{store.Key{Kind: &store.Spec{Folder: "notes", Log: &store.Log{Folder: "history", Ending: ".jsonl"}}, Name: "a"}}

// saved reads the state in the lock file: saved reports whether the document was committed, and known whether the file has a state.
func saved(root *os.Root) (saved, known bool) {
	state, _ := doc.recorded(root)
	return state == stateSaved, state != ""
}

func TestReplaceMissingThenExistingDocument(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	if root, err := OpenIfExists(dir); root != nil || err != nil {
		t.Fatalf("a store that is not there: %v, %v", root, err)
	}
	var old fs.FileInfo
	for _, content := range []string{"one", "two"} {
		tx, err := beginTransaction(dir, doc, patience{wait: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.replace(store.Write{Data: []byte(content), Now: time.Now()}, old); err != nil {
			t.Fatal(err)
		}
		var data []byte
		if data, old, err = readFile(tx.root, doc.path(), 10); err != nil || string(data) != content {
			t.Errorf("got %q, %v", data, err)
		}
		if isSaved, known := saved(tx.root); !isSaved || !known {
			t.Errorf("saved %v, known %v", isSaved, known)
		}
		tx.end()
	}
}

// TestLogComesBeforeDocument checks that a commit writes the log before the document.
func TestLogComesBeforeDocument(t *testing.T) {
	dir := t.TempDir()
	tx, err := beginTransaction(dir, doc, patience{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.end()
	if err := os.Mkdir(filepath.Join(dir, doc.logPath()), 0o700); err != nil {
		t.Fatal(err)
	}
	err = tx.replace(store.Write{Data: []byte("one"), Line: []byte("a line\n"), Now: time.Now()}, nil)
	if _, _, missing := readFile(tx.root, doc.path(), 10); !errors.Is(err, store.ErrForeign) || !errors.Is(missing, fs.ErrNotExist) {
		t.Errorf("got %v, and then %v", err, missing)
	}
	if isSaved, known := saved(tx.root); isSaved || !known {
		t.Errorf("saved %v, known %v", isSaved, known)
	}
}

func TestSecondWriterIsRefused(t *testing.T) {
	dir := t.TempDir()
	tx, err := beginTransaction(dir, doc, patience{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.end()
	if _, err := beginTransaction(dir, doc, patience{}); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v", err)
	}
}

// TestDetectWriteWithoutLock simulates a file system whose locks have no effect.
func TestDetectWriteWithoutLock(t *testing.T) {
	dir := t.TempDir()
	tx, err := beginTransaction(dir, doc, patience{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.end()
	if err := os.WriteFile(filepath.Join(dir, doc.path()), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tx.replace(store.Write{Data: []byte("ours"), Now: time.Now()}, nil); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v", err)
	}
	if data, _, err := readFile(tx.root, doc.path(), 10); err != nil || string(data) != "other" {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestReadsOnlyFilesWithinTheLimit(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]error{"long": store.ErrLimit, "folder": store.ErrForeign, "link": store.ErrForeign, "none": fs.ErrNotExist} {
		full := filepath.Join(dir, path)
		switch path {
		case "long":
			os.WriteFile(full, []byte("01234567890"), 0o600)
		case "folder":
			os.Mkdir(full, 0o700)
		case "link":
			if err := os.Symlink("long", full); err != nil {
				t.Skip(err)
			}
		}
		root, err := OpenIfExists(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := readFile(root, path, 10); !errors.Is(err, want) {
			t.Errorf("%s: got %v", path, err)
		}
		root.Close()
	}
}

// TestLockFileWithoutOwner uses a lock file that a disk or an editor has damaged.
func TestLockFileWithoutOwner(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, doc.Kind.Folder), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, record := range []string{"", strings.Repeat("\x00", recordSize), "sav", "what\n\n" + strings.Repeat(" ", 313)} {
		if err := os.WriteFile(filepath.Join(dir, doc.lockPath()), []byte(record), 0o600); err != nil {
			t.Fatal(err)
		}
		root, err := OpenIfExists(dir)
		if err != nil {
			t.Fatal(err)
		}
		if isSaved, known := saved(root); isSaved || known {
			t.Errorf("%q: saved %v, known %v", record, isSaved, known)
		}
		root.Close()
	}
}

// TestRecognizeUnfinishedWrite checks that the next writer removes an unfinished history if the lock file shows that its writer died,
// and only then.
func TestRecognizeUnfinishedWrite(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "one")
	trimmed := filepath.Join(dir, doc.trimmedPath())
	for _, dies := range []bool{false, true} {
		if err := os.WriteFile(trimmed, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		tx, err := beginTransaction(dir, doc, patience{})
		if err != nil {
			t.Fatal(err)
		}
		if dies {
			tx.record(stateSaved, ".a.tmp-0123456789ab")
		}
		tx.end()
		if tx, err = beginTransaction(dir, doc, patience{}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(trimmed); errors.Is(err, fs.ErrNotExist) != dies {
			t.Errorf("a writer died: %v; what it left: %v", dies, err)
		}
		tx.end()
	}
}

// TestDeletionIsAtomic checks that a deletion removes the document first. The other files are harmless without the document,
// but the document would be damaged without them.
func TestDeletionIsAtomic(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "one")
	stuck := doc.logPath()
	if err := os.MkdirAll(filepath.Join(dir, stuck, "cannot be removed"), 0o700); err != nil {
		t.Fatal(err)
	}
	tx, err := beginTransaction(dir, doc, patience{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.remove(stuck); !errors.Is(err, store.ErrNotDurable) {
		t.Errorf("got %v", err)
	}
	tx.end()
	if _, err := os.Lstat(filepath.Join(dir, doc.path())); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the document: %v", err)
	}
	// The next command reports the deletion, and removes the remaining files.
	if _, err = beginTransaction(dir, doc, patience{}); !errors.Is(err, store.ErrIO) {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(filepath.Join(dir, stuck, "cannot be removed")); err != nil {
		t.Fatal(err)
	}
	if tx, err = beginTransaction(dir, doc, patience{}); err != nil {
		t.Fatal(err)
	}
	tx.end()
	if _, err := os.Lstat(filepath.Join(dir, stuck)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the log: %v", err)
	}
	write(t, dir, "two")
	if err := os.WriteFile(filepath.Join(dir, stuck), []byte("a line"), 0o600); err != nil {
		t.Fatal(err)
	}
	if tx, err = beginTransaction(dir, doc, patience{}); err != nil {
		t.Fatal(err)
	}
	tx.end()
	if _, err := os.Lstat(filepath.Join(dir, stuck)); err != nil {
		t.Errorf("after it was written again: the log: %v", err)
	}
}

// TestFailedDeletion checks that a deletion that fails leaves the document intact.
func TestFailedDeletion(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "one")
	tx, err := beginTransaction(dir, doc, patience{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.record(stateGone, ""); err != nil { // the process dies here
		t.Fatal(err)
	}
	tx.end()
	if err := os.WriteFile(filepath.Join(dir, doc.logPath()), []byte("a line"), 0o600); err != nil {
		t.Fatal(err)
	}
	if tx, err = beginTransaction(dir, doc, patience{}); err != nil {
		t.Fatal(err)
	}
	defer tx.end()
	if _, err := tx.root.Lstat(doc.logPath()); err != nil {
		t.Errorf("the log: %v", err)
	}
	if isSaved, known := saved(tx.root); !isSaved || !known {
		t.Errorf("saved %v, known %v", isSaved, known)
	}
}

// write replaces the document's file by one with this content.
func write(t *testing.T, dir, content string) {
	t.Helper()
	tx, err := beginTransaction(dir, doc, patience{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.end()
	old, err := tx.root.Lstat(doc.path())
	if err != nil {
		old = nil
	}
	if err := tx.replace(store.Write{Data: []byte(content), Now: time.Now()}, old); err != nil {
		t.Fatal(err)
	}
}

// TestRemovedLockFile checks that a second writer is excluded even if the lock file of the first one was removed.
func TestRemovedLockFile(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "one")
	first, err := beginTransaction(dir, doc, patience{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.end()
	_, old, err := readFile(first.root, doc.path(), 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, doc.lockPath())); err != nil {
		t.Fatal(err)
	}
	second, err := beginTransaction(dir, doc, patience{})
	if err != nil {
		t.Fatal(err)
	}
	defer second.end()
	if err := first.replace(store.Write{Data: []byte("two"), Now: time.Now()}, old); !errors.Is(err, store.ErrBusy) {
		t.Errorf("the first writer: %v", err)
	}
	if err := second.replace(store.Write{Data: []byte("three"), Now: time.Now()}, old); err != nil {
		t.Errorf("the second writer: %v", err)
	}
}
