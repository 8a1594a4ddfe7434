package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"onward/internal/store"
)

// ReadForeign reads a file that other programs write, such as an agent's settings: a regular one,
// whole, up to a limit in bytes. Links are followed. A pipe or a device is refused, and not waited
// for. A file that does not exist is fs.ErrNotExist; other errors are classified.
func ReadForeign(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path) // opening a device may do something
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, SystemError(err)
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	// It exists, so from here on "no such file" is a fault, as of a network file system.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unread(err)
	}
	defer f.Close()
	data, _, err := readOpen(f, path, limit)
	return data, err
}

// LinkOut returns the file that a path below the working folder leads to by a link out of that folder; empty if it does not, or if the
// path is not below the folder, so that the user names a file elsewhere.
func LinkOut(path string) (target string, err error) {
	if !filepath.IsLocal(path) {
		return "", nil
	}
	root, err := os.OpenRoot(".")
	if err != nil {
		return "", err
	}
	defer root.Close()
	if _, err = root.Stat(path); err == nil || errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if target, err = filepath.EvalSymlinks(path); err != nil {
		return "", nil // it is reported where the file is read
	}
	return target, nil
}

// WriteForeign writes a file outside of a store, whole or not at all. The content is written and synced
// under another name in the same folder, and then place moves it from there, by a rename or a link.
// A new file has the given mode regardless of the umask; a file that is replaced keeps its own.
// Links have to be followed before. An error after place is store.ErrNotDurable.
func WriteForeign(path string, data []byte, mode fs.FileMode, place func(temp string) error) error {
	dir := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	removeAbandoned(dir)
	temp := filepath.Join(dir, fmt.Sprintf(".onward-%012x.tmp", rand.Uint64()>>16))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // until it has its mode
	if err != nil {
		return SystemError(err)
	}
	defer func() { _ = os.Remove(temp) }() // there is none once it is renamed
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return SystemError(err)
	}
	if err := place(temp); err != nil {
		return err
	}
	return SyncFolder(dir)
}

// abandoned is the age from which on a temporary file counts as left by a writer that died.
const abandoned = time.Hour

// removeAbandoned removes the temporary files that dead writers left in a folder. Until then they do no harm: agents do
// not take files with such names for settings.
func removeAbandoned(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, ".onward-*.tmp"))
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(path)
		}
	}
}

// Rename replaces one file outside of a store by another, atomically.
func Rename(from, to string) error { return SystemError(rename(os.Rename, from, to)) }

// SyncFolder makes what was renamed or removed in a folder outside of a store durable. An error is store.ErrNotDurable.
func SyncFolder(dir string) error {
	if err := syncOutside(dir); err != nil {
		return fmt.Errorf("%w: %w", store.ErrNotDurable, err)
	}
	return nil
}

func syncOutside(dir string) error {
	err := syncDir(os.Open, dir)
	if of, is := errors.AsType[*fs.PathError](err); is && of.Op == "open" && errors.Is(of, fs.ErrPermission) {
		return nil // who may write in a folder need not be able to read it
	}
	return err
}
