package durable

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"onward/internal/store"
)

// document is the place of one document in a store.
// Beside it lies its lock file, which is never renamed or removed:
// a lock on a file that is replaced would be a lock on the old file.
type document struct{ store.Key }

// path returns the file, below the store.
func (d document) path() string { return d.sibling(".json") }

// lockPath returns the lock file, below the store.
func (d document) lockPath() string { return d.sibling(".lock") }

// notePath returns the file of the note, below the store.
func (d document) notePath() string { return d.sibling(d.Kind.Note) }

func (d document) sibling(ending string) string { return filepath.Join(d.Kind.Folder, d.Name+ending) }

// logPath returns the file of the log, below the store; empty if there is none.
func (d document) logPath() string {
	if d.Kind.Log == nil {
		return ""
	}
	return filepath.Join(d.Kind.Log.Folder, d.Name+d.Kind.Log.Ending)
}

// folders returns the folder of the documents of a kind, and that of their logs.
func folders(kind *store.Spec) []string {
	if kind.Log == nil {
		return []string{kind.Folder}
	}
	return slices.Compact([]string{kind.Log.Folder, kind.Folder})
}

// trimmedPath is the temporary file of a shorter log that is about to replace the old one.
func (d document) trimmedPath() string { return d.logPath() + ".tmp" }

// trace returns the file that shows that there was a document, if its lock file is gone as well:
// its log, unless that means nothing without the document.
func (d document) trace() string {
	if d.Journaled() {
		return ""
	}
	return d.logPath()
}

// The states of a document as recorded in its lock file.
const (
	stateNew   = "new"
	stateSaved = "saved"
	stateGone  = "gone" // deleted, though what belongs to it may not all be
)

// recordSize is the fixed length of what a lock file holds, so that one write replaces it whole.
const recordSize = 320

// maxLock is how large a lock file may be. If something was appended to one, its beginning is still valid.
const maxLock = 1 << 20

// recorded returns the content of the lock file: the document's state, and the mark of the last
// transaction that had something to remember. The lock file is written before everything else and
// never removed, so it is authoritative. If it is missing or was created again, it records nothing.
func (d document) recorded(root *os.Root) (state, mark string) {
	record, _, err := readFile(root, d.lockPath(), maxLock)
	if err != nil {
		return "", ""
	}
	state, _, mark = parseNote(record)
	return state, mark
}

// explainMissing explains why there is no document: nil if there never was one, or it was deleted, and
// ErrGone if it was saved before. If the lock file records nothing, files were removed; a trace,
// such as the log, shows that there was a document.
func (d document) explainMissing(root *os.Root) (deleted bool, err error) {
	state, _ := d.recorded(root)
	saved := state == stateSaved
	if trace := d.trace(); state == "" && trace != "" {
		_, err := root.Lstat(trace)
		saved = err == nil
	}
	if !saved {
		return state == stateGone, nil
	}
	// A first commit may have happened between the two reads.
	if _, err := root.Lstat(d.path()); err == nil {
		return false, store.WrapProblem(store.ErrBusy, "the document appeared while it was read")
	}
	return false, store.WrapProblem(store.ErrCorrupt, "%w", store.ErrGone)
}

// writeMark writes a short text into the lock file. It is not synced.
func (t *transaction) writeMark(text string) error {
	t.mark = text
	return SystemError(t.record(t.state, ""))
}

// record writes the state of the document into the lock file, and the temporary file that is being written.
func (t *transaction) record(state, temp string) error {
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

// sweep removes the temporary files of a writer that died, and completes a deletion that was cut off.
// Such files are only created under the lock, which is held, so no other process uses them.
func (t *transaction) sweep() error {
	record := make([]byte, recordSize)
	n, _ := t.lock.ReadAt(record, 0)
	var temp string
	t.state, temp, t.mark = parseNote(record[:n])
	deleted := false
	if t.state == stateGone {
		switch _, err := t.root.Lstat(t.doc.path()); {
		case errors.Is(err, fs.ErrNotExist):
			deleted, t.mark = true, ""
		case err == nil: // the deletion did not happen
			t.state = stateSaved
			_ = t.record(t.state, temp)
		}
	}
	if strings.HasPrefix(temp, "."+t.doc.Name+".tmp-") && !strings.ContainsAny(temp, `/\`) {
		err := t.root.Remove(filepath.Join(t.doc.Kind.Folder, temp))
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			_ = t.record(t.state, "")
		}
	}
	if temp != "" && t.doc.Kind.Log != nil {
		t.root.Remove(t.doc.trimmedPath())
	}
	if deleted {
		return t.clearDeleted()
	}
	return nil
}
