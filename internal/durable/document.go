package durable

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"onward/internal/store"
)

// Document is the place of one document in a store.
// Beside it lies its lock file, which is never renamed or removed:
// a lock on a file that is replaced would be a lock on the old file.
type Document struct {
	Folder string // of the store
	Name   string // without its ending; it must be fit for a file name
}

// Path returns the file, below the store.
func (d Document) Path() string { return d.beside(".json") }

// LockPath returns the lock file, below the store.
func (d Document) LockPath() string { return d.beside(".lock") }

func (d Document) beside(ending string) string {
	if d.Folder == "." {
		return d.Name + ending
	}
	return d.Folder + string(filepath.Separator) + d.Name + ending
}

// The words of a lock file for what it tells of its document.
const (
	stateNew   = "new"
	stateSaved = "saved"
	stateGone  = "gone" // deleted, though what belongs to it may not all be
)

// recordSize is the fixed length of what a lock file holds, so that one write replaces it whole.
const recordSize = 320

// noted returns what the lock file tells of a document: its state, and what the last transaction that had something
// to remember has put there. The lock file is written before everything else and never removed, so its word counts.
// If it is gone or was made anew, it records nothing.
func (d Document) noted(root *os.Root) (state, mark string) {
	record, _, err := ReadFile(root, d.LockPath(), recordSize)
	if err != nil {
		return "", ""
	}
	state, _, mark = parseNote(record)
	return state, mark
}

// missing explains why there is no document: nil where there never was one, or it was deleted, and ErrGone where it was saved before.
// If the lock file tells nothing, somebody removed files; a trace of it, such as its log, tells that there was a document.
func (d Document) missing(root *os.Root, trace string) (deleted bool, err error) {
	state, _ := d.noted(root)
	saved := state == stateSaved
	if state == "" && trace != "" {
		_, err := root.Lstat(trace)
		saved = err == nil
	}
	if !saved {
		return state == stateGone, nil
	}
	// A first commit may have come between the two looks.
	if _, err := root.Lstat(d.Path()); err == nil {
		return false, store.Problem(store.ErrBusy, "the document appeared while it was read")
	}
	return false, store.Problem(store.ErrCorrupt, "%w", store.ErrGone)
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
		case err == nil: // the deletion did not happen
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
