package durable

import (
	"errors"
	"os"

	"onward/internal/store"
)

// maxNote is the limit of a note in bytes, more than any has.
const maxNote = 256

// Note returns the note beside a document, or nothing if it cannot be read.
func (s *Store) Note(k store.Key) []byte {
	data, _ := s.file(notePath(k), maxNote)
	return data
}

// ChangeNote overwrites the note, whose file is neither locked nor synced.
// If its folder does not exist yet, there is nothing to record it for.
func (s *Store) ChangeNote(k store.Key, change func([]byte) []byte) error {
	var root *os.Root
	var err error
	if s.Local {
		root, err = create(s.Dir, []string{k.Kind.Folder})
	} else {
		root, err = Open(s.Dir)
	}
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	path := notePath(k)
	info, err := root.Lstat(path)
	if err == nil {
		if err := Regular(path, info); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return SystemError(err)
	}
	if info == nil {
		if err := Chown(root, path); err != nil {
			return errors.Join(SystemError(err), f.Close())
		}
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
