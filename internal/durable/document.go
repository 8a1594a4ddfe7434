package durable

import (
	"bytes"
	"errors"
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
	saved, _, known = parseNote(record)
	return saved, known
}

// note writes into the lock file whether the document exists, and which temporary file is being written.
func (t *Transaction) note(exists bool, temp string) error {
	record := bytes.Repeat([]byte{' '}, recordSize)
	state := stateNew
	if exists {
		state = stateSaved
	}
	copy(record, state+"\n"+temp+"\n")
	record[recordSize-1] = '\n'
	_, err := t.lock.WriteAt(record, 0)
	return err
}

// parseNote gives back what note wrote; known is false where the file is new, or holds something else.
func parseNote(record []byte) (exists bool, temp string, known bool) {
	lines := strings.SplitN(string(record), "\n", 3)
	if len(lines) < 3 || lines[0] != stateNew && lines[0] != stateSaved {
		return false, "", false
	}
	return lines[0] == stateSaved, lines[1], true
}

// sweep removes the temporary file of a writer that died.
// Such files are only made under the lock, which we hold, so it is nobody's.
func (t *Transaction) sweep() {
	record := make([]byte, recordSize)
	n, _ := t.lock.ReadAt(record, 0)
	exists, temp, _ := parseNote(record[:n])
	t.Unfinished = temp != ""
	if temp == "" || !strings.HasPrefix(temp, "."+t.doc.Name+".tmp-") || strings.ContainsAny(temp, `/\`) {
		return
	}
	if err := t.Root.Remove(filepath.Join(t.doc.Folder, temp)); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.note(exists, "")
	}
}
