package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"onward/internal/durable"
	"onward/internal/store"
)

// readFile reads a whole file; nil if it does not exist.
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

// resolve follows the links on the way to a file, so that the target of a link is changed and the link stays.
// If within is given, the file must be inside that folder: a cloned project must not redirect onward to other files of
// the user. A link to a missing file counts as that file.
func resolve(path, within string) (string, error) {
	at, rest := path, ""
	for hops := 0; ; {
		found, err := filepath.EvalSymlinks(at)
		if err == nil {
			at = found
			break
		}
		if strings.HasSuffix(err.Error(), "too many links") { // package filepath has no other sign of it
			return "", fmt.Errorf("%w: the links on the way to it lead back to themselves; delete them", store.ErrPermission)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", durable.SystemError(err)
		}
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 && hops < maxLinks {
			if at, err = follow(at); err != nil {
				return "", err
			}
			hops++
			continue
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
	root, err := resolve(within, "") // which may be gone, with all that was in it
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, target); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%w: %s points outside the project, to %s", store.ErrPermission, path, target)
	}
	return target, nil
}

// maxLinks limits how many links in a row are followed.
const maxLinks = 40

// follow returns the target of a link, whether or not it exists.
func follow(link string) (string, error) {
	to, err := os.Readlink(link)
	if err != nil {
		return "", durable.SystemError(err)
	}
	if filepath.IsAbs(to) {
		return to, nil
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(link))
	if err != nil {
		return "", durable.SystemError(err)
	}
	return filepath.Join(dir, to), nil
}

// replace writes a file atomically if it is still as it was read, and keeps its mode. Nil removes it.
func replace(path string, data, was []byte, mode fs.FileMode) (err error) {
	if data == nil {
		err = remove(path, was)
	} else {
		err = durable.WriteForeign(path, data, mode, func(temp string) error {
			if err := unmoved(path, was); err != nil {
				return err
			}
			return durable.Rename(temp, path)
		})
	}
	if errors.Is(err, store.ErrNotDurable) {
		return nil // after a crash, an install can write the settings again
	}
	return err
}

func remove(path string, was []byte) error {
	if err := unmoved(path, was); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return durable.SystemError(err)
	}
	return durable.SyncFolder(filepath.Dir(path))
}

// unmoved returns an error if a file has changed since it was read.
func unmoved(path string, was []byte) error {
	now, err := readFile(path)
	if err != nil {
		return err
	}
	if !equal(now, was) {
		return fmt.Errorf("%w: %s", ErrMoved, path)
	}
	return nil
}

// equal compares two files; nil is a missing one.
func equal(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

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
