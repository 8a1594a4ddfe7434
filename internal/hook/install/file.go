package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/durable"
	"onward/internal/store"
)

// readFile reads a file whole; nil if there is none.
func readFile(path string) ([]byte, error) {
	data, err := durable.ReadForeign(path, maxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, store.ErrForeign):
		return nil, fmt.Errorf("%w: %s is not a regular file", store.ErrPermission, path)
	case errors.Is(err, store.ErrLimit):
		return nil, fmt.Errorf("%w: it has more than %d bytes", ErrParse, maxSettings)
	case err != nil:
		return nil, durable.SystemError(err)
	}
	return data, nil
}

// resolve follows the links on the way to a file, so that a link stays one and what it leads to is changed.
// Where within is given, the file must be inside of that folder:
// a cloned project must not redirect onward to other files of the user.
func resolve(path, within string) (string, error) {
	at, rest := path, ""
	for {
		found, err := filepath.EvalSymlinks(at)
		if err == nil {
			at = found
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", durable.SystemError(err)
		}
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", fmt.Errorf("%w: %s is a link that leads nowhere", store.ErrPermission, at)
		}
		rest = filepath.Join(filepath.Base(at), rest)
		if at == filepath.Dir(at) {
			break
		}
		at = filepath.Dir(at)
	}
	target := filepath.Join(at, rest)
	if within == "" {
		return target, nil
	}
	root, err := filepath.EvalSymlinks(within)
	if err != nil {
		return "", durable.SystemError(err)
	}
	if rel, err := filepath.Rel(root, target); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%w: %s leads out of the project, to %s", store.ErrPermission, path, target)
	}
	return target, nil
}

// replace puts a file in the place of what was read before, in one step; its mode is kept.
func replace(path string, data, was []byte, mode fs.FileMode) error {
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := create(filepath.Dir(path))
	if err != nil {
		return durable.SystemError(err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // there is none once it is renamed
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return durable.SystemError(err)
	}
	if err := unmoved(path, was); err != nil {
		return err
	}
	err = os.Rename(f.Name(), path)
	syncFolder(filepath.Dir(path))
	return durable.SystemError(err)
}

// abandoned is how old a file must be that a writer made for itself, until it is taken for one that a dead writer left.
const abandoned = time.Hour

// create makes a new private file, with a name that agents do not mistake for settings.
// What writers left that died is cleared away.
func create(dir string) (*os.File, error) {
	const name = ".onward-*.tmp"
	left, _ := filepath.Glob(filepath.Join(dir, name))
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(path)
		}
	}
	return os.CreateTemp(dir, name)
}

// unmoved sees that a file is still what it was when it was read.
func unmoved(path string, was []byte) error {
	now, err := readFile(path)
	if err != nil {
		return err
	}
	if (now == nil) != (was == nil) || !bytes.Equal(now, was) {
		return fmt.Errorf("%w: %s", ErrMoved, path)
	}
	return nil
}

// remove takes a file away that is still what it was when it was read.
func remove(path string, was []byte) error {
	if err := unmoved(path, was); err != nil {
		return err
	}
	err := os.Remove(path)
	syncFolder(filepath.Dir(path))
	return durable.SystemError(err)
}

// syncFolder makes a rename durable where the system can. If it cannot, nothing is lost but time:
// the settings can be written again.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// missingFolders returns the folders on the way to a file that do not exist, the outermost first.
func missingFolders(path string) []string {
	var out []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			return out
		}
		out = append([]string{dir}, out...)
	}
}
