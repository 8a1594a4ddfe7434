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

// The states of a document as recorded in its lock file.
const (
	stateNew   = "new"
	stateSaved = "saved"
	stateGone  = "gone" // deleted, though what belongs to it may not all be
)

// recordSize is the fixed length of what a lock file holds, so that one write replaces it whole.
const recordSize = 320

// maxLock is how large a lock file may be. One that something has been appended to still says what its beginning says.
const maxLock = 1 << 20

// recorded returns the content of the lock file: the document's state, and the mark of the last transaction that had something
// to remember. The lock file is written before everything else and never removed, so it is authoritative.
// If it is missing or was created again, it records nothing.
func (d Document) recorded(root *os.Root) (state, mark string) {
	record, _, err := ReadFile(root, d.LockPath(), maxLock)
	if err != nil {
		return "", ""
	}
	state, _, mark = parseNote(record)
	return state, mark
}

// missing explains why there is no document: nil where there never was one, or it was deleted, and ErrGone where it was saved before.
// If the lock file records nothing, files were removed; a trace, such as the log, shows that there was a document.
func (d Document) missing(root *os.Root, trace string) (deleted bool, err error) {
	state, _ := d.recorded(root)
	saved := state == stateSaved
	if state == "" && trace != "" {
		_, err := root.Lstat(trace)
		saved = err == nil
	}
	if !saved {
		return state == stateGone, nil
	}
	// A first commit may have happened between the two reads.
	if _, err := root.Lstat(d.Path()); err == nil {
		return false, store.Problem(store.ErrBusy, "the document appeared while it was read")
	}
	return false, store.Problem(store.ErrCorrupt, "%w", store.ErrGone)
}

// Mark writes a short text into the lock file. It is not synced.
func (t *Transaction) Mark(text string) error {
	t.mark = text
	return SystemError(t.record(t.state, ""))
}

// record writes the state of the document into the lock file, and the temporary file that is being written.
func (t *Transaction) record(state, temp string) error {
	record := bytes.Repeat([]byte{' '}, recordSize)
	copy(record, state+"\n"+temp+"\n"+t.mark+"\n")
	record[recordSize-1] = '\n'
	_, err := t.lock.WriteAt(record, 0)
	return err
}

// parseNote parses the content of a lock file; the state is empty if the file is new, or contains something else.
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
// Such files are only created under the lock, which is held, so no other process uses them.
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
			_ = t.record(state, temp)
		}
	}
	t.state = state
	if temp == "" || !strings.HasPrefix(temp, "."+t.doc.Name+".tmp-") || strings.ContainsAny(temp, `/\`) {
		return
	}
	if err := t.Root.Remove(filepath.Join(t.doc.Folder, temp)); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.record(state, "")
	}
}
