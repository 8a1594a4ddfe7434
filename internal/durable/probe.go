package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"onward/internal/notify"
	"onward/internal/store"
)

// Folder describes whether a folder can hold a store.
type Folder struct {
	Missing bool // the first write makes it; the nearest folder above it was probed
	Mode    fs.FileMode
	Open    []string // it and the folders in it that a group or everybody may write
	Locks   error    // why files cannot be written in it, or their locks are not exclusive
}

// Probe examines a folder. It leaves no files.
func Probe(dir string) (f Folder, err error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Missing, dir = true, notify.ExistingFolder(dir)
	case err != nil:
		return f, err
	default:
		f.Mode = info.Mode()
		f.Open = openFolders(dir, info)
	}
	if f.Missing || f.Mode.IsDir() {
		f.Locks = probe(dir)
	}
	return f, nil
}

// openFolders returns the folder and those in it that a group or everybody may write. On Windows, modes do not say that.
func openFolders(dir string, info fs.FileInfo) (open []string) {
	look := func(path string, mode fs.FileMode) {
		if mode.IsDir() && mode.Perm()&0o022 != 0 && runtime.GOOS != "windows" {
			open = append(open, path)
		}
	}
	look(dir, info.Mode())
	entries, _ := os.ReadDir(dir) // one that cannot be read is reported otherwise
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			look(filepath.Join(dir, e.Name()), info.Mode())
		}
	}
	return open
}

// probe tries whether files can be written in a folder, and whether their locks are exclusive.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return SystemError(err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	defer f.Close()
	// A full disk still creates empty files.
	if _, err := f.Write(make([]byte, 4096)); err != nil {
		return SystemError(err)
	}
	if err := acquire(f, patience{}); err != nil {
		return err
	}
	other, err := os.OpenFile(f.Name(), os.O_RDWR, 0)
	if err != nil {
		return SystemError(err)
	}
	switch err := acquire(other, patience{}); {
	case err == nil:
		other.Close()
		return store.WrapProblem(store.ErrLockUnsupported, "a lock in %s does not exclude other writers", dir)
	case errors.Is(err, store.ErrBusy):
		return nil
	default:
		return err
	}
}
