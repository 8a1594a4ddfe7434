package durable

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"onward/internal/store"
)

// maxNote is the limit of a note in bytes, more than any has.
const maxNote = 256

// Note returns the note next to a document, or nothing if it cannot be read.
func (s *Store) Note(k store.Key) []byte {
	data, _ := Read(s.Dir, document{k}.notePath(), maxNote)
	return data
}

// noteWait is how long a note waits for another one, which takes microseconds. One that cannot be locked by then is lost.
const noteWait = 50 * time.Millisecond

// ChangeNote overwrites the note, whose file is not synced. Hooks of tool calls that run side by side count in it, so it
// is locked. If there is no store yet, there is nothing to record it for.
func (s *Store) ChangeNote(k store.Key, change func([]byte) []byte) error {
	var root *os.Root
	var err error
	if s.Local {
		root, err = createFolders(s.Dir, []string{k.Kind.Folder})
	} else {
		root, err = OpenIfExists(s.Dir)
	}
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	f, _, err := OpenFile(root, document{k}.notePath(), os.O_RDWR|os.O_CREATE)
	if errors.Is(err, fs.ErrNotExist) { // the store has no document of this kind yet
		if err = MakeFolder(root, k.Kind.Folder); err == nil {
			f, _, err = OpenFile(root, document{k}.notePath(), os.O_RDWR|os.O_CREATE)
		}
	}
	if err != nil {
		return err
	}
	if acquire(f, patience{wait: noteWait}) != nil {
		return nil // which has closed the file
	}
	record := make([]byte, maxNote)
	had, _ := f.ReadAt(record, 0)
	text := change(record[:had])
	_, err = f.WriteAt(text, 0)
	if err == nil && len(text) < had {
		err = f.Truncate(int64(len(text)))
	}
	return SystemError(errors.Join(err, f.Close()))
}
