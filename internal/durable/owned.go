package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"onward/internal/store"
)

// ForeignFiles reads files that others write, for packages that know no system.
type ForeignFiles struct{}

// Read reads a file as ReadForeign does.
func (ForeignFiles) Read(path string, limit int64) ([]byte, error) { return ReadForeign(path, limit) }

// ReadOwned reads a file in a folder of a directory with untrusted content, such as a repository.
// If there is none, the error is fs.ErrNotExist. Foul is the reason why the user cannot have meant this file:
// the file or its folder belongs to another user, or it is a link, a pipe, or too large.
// Who owns it is asked of the very file that is read.
func (ForeignFiles) ReadOwned(dir, folder, name string, limit int64) (data []byte, foul, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, unread(err)
	}
	defer root.Close()
	above, err := root.Lstat(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !above.IsDir() {
		return nil, nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, nil, SystemError(err)
	}
	path := filepath.Join(folder, name)
	data, info, err := readFile(root, path, limit)
	switch {
	case errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrLimit), errors.Is(err, store.ErrPermission):
		return nil, err, nil
	case err != nil:
		return nil, nil, err
	}
	for path, info := range map[string]fs.FileInfo{folder: above, path: info} {
		if path = filepath.Join(dir, path); !owned(path, info) {
			return nil, fmt.Errorf("%s belongs to another user", path), nil
		}
	}
	return data, nil, nil
}
