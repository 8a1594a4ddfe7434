package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Document is the place of one document in a store.
// Beside it lies its lock file, which is never renamed or removed:
// a lock on a file that is replaced would be a lock on the old file.
type Document struct {
	Folder string // of the store
	Name   string // without its ending; it must be fit for a file name
}

// Path gives the file, below the store.
func (d Document) Path() string { return filepath.Join(d.Folder, d.Name+".json") }

// LockPath gives the lock file, below the store.
func (d Document) LockPath() string { return filepath.Join(d.Folder, d.Name+".lock") }

// The words of a lock file for what it tells of its document.
const (
	stateNew   = "new"
	stateSaved = "saved"
	stateGone  = "gone" // deleted, though what belongs to it may not all be
)

// recordSize is the fixed length of what a lock file holds, so that one write replaces it whole.
const recordSize = 320

// Saved reports what the lock file tells of a document: whether it was ever committed.
// The lock file is written before everything else and never removed, so its word counts.
// Where it is gone or was made anew, it tells nothing, and known is false.
func (d Document) Saved(root *os.Root) (saved, known bool) {
	record, _, err := ReadFile(root, d.LockPath(), recordSize)
	if err != nil {
		return false, false
	}
	state, _, _ := parseNote(record)
	return state == stateSaved, state != ""
}

// Missing explains why there is no document: nil where there never was one, and ErrGone where it was saved before.
// Where the lock file tells nothing, somebody removed files; one of the traces tells that there was a document.
func (d Document) Missing(root *os.Root, traces ...string) error {
	saved, known := d.Saved(root)
	for _, path := range traces {
		if _, err := root.Lstat(path); err == nil && !known {
			saved = true
		}
	}
	if !saved {
		return nil
	}
	// A first commit may have come between the two looks.
	if _, err := root.Lstat(d.Path()); err == nil {
		return fmt.Errorf("%w: the document appeared while it was read", ErrBusy)
	}
	return Problem(ErrCorrupt, "%w", ErrGone)
}

// Deleted reports whether a document was deleted and not saved since, by what the lock file tells.
func (d Document) Deleted(root *os.Root) bool {
	record, _, err := ReadFile(root, d.LockPath(), recordSize)
	state, _, _ := parseNote(record)
	return err == nil && state == stateGone
}

// Mark returns what the last transaction that had something to remember has put into the lock file.
func (d Document) Mark(root *os.Root) string {
	record, _, err := ReadFile(root, d.LockPath(), recordSize)
	_, _, mark := parseNote(record)
	if err != nil {
		return ""
	}
	return mark
}

// Mark puts a short text into the lock file. It is not synced.
func (t *Transaction) Mark(text string) error {
	t.mark = text
	return SystemError(t.note(t.state, ""))
}

// note writes into the lock file how the document stands, and which temporary file is being written.
func (t *Transaction) note(state, temp string) error {
	record := bytes.Repeat([]byte{' '}, recordSize)
	copy(record, state+"\n"+temp+"\n"+t.mark+"\n")
	record[recordSize-1] = '\n'
	_, err := t.lock.WriteAt(record, 0)
	return err
}

// parseNote returns what note wrote; the state is empty where the file is new, or holds something else.
func parseNote(record []byte) (state, temp, mark string) {
	lines := strings.SplitN(string(record), "\n", 4)
	if len(lines) < 3 {
		return "", "", ""
	}
	switch lines[0] {
	case stateNew, stateSaved, stateGone:
		return lines[0], lines[1], strings.TrimSpace(lines[2])
	}
	return "", "", ""
}

// sweep removes the temporary file of a writer that died, and finds a deletion that did not come to its end.
// Such files are only made under the lock, which we hold, so they are nobody's.
func (t *Transaction) sweep() {
	record := make([]byte, recordSize)
	n, _ := t.lock.ReadAt(record, 0)
	state, temp, mark := parseNote(record[:n])
	t.mark = mark
	t.Unfinished = temp != ""
	if state == stateGone {
		switch _, err := t.Root.Lstat(t.doc.Path()); {
		case errors.Is(err, fs.ErrNotExist):
			t.Deleted, t.mark = true, ""
		case err == nil: // the deletion did not come to pass
			state = stateSaved
			_ = t.note(state, temp)
		}
	}
	t.state = state
	if temp == "" || !strings.HasPrefix(temp, "."+t.doc.Name+".tmp-") || strings.ContainsAny(temp, `/\`) {
		return
	}
	if err := t.Root.Remove(filepath.Join(t.doc.Folder, temp)); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.note(state, "")
	}
}
