package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"onward/internal/store"
)

// OpenIfExists returns a store's folder for reading, or nil if it does not exist yet.
// The folder itself may be a link that the user chose; below it, os.Root lets nothing lead outside.
func OpenIfExists(dir string) (*os.Root, error) {
	if err := StartRuntimePoller(); err != nil {
		return nil, fmt.Errorf("open store: %w", SystemError(err))
	}
	root, err := openRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open store: %w", SystemError(err))
	}
	return root, nil
}

// openRoot opens a folder by a path that says that it is one. A pipe in its place would wait for its writer.
func openRoot(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir + string(os.PathSeparator))
	if at, named := errors.AsType[*fs.PathError](err); named {
		at.Path = dir // as the user named it
	}
	return root, err
}

// Read reads a single file of a store, as readFile does; nil if there is none.
func Read(dir, path string, limit int64) ([]byte, error) {
	data, _ := readDirect(dir, path, limit)
	if data != nil || absent(filepath.Join(dir, path)) {
		return data, nil
	}
	root, err := OpenIfExists(dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	data, _, err = readFile(root, path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return data, err
}

// readFile reads a regular file of a store whole, up to a limit in bytes, and identifies the file.
// Links and anything that is not a file are refused: nothing in a store is a link.
// The error of one that does not exist is fs.ErrNotExist too, for the caller to decide about.
func readFile(root *os.Root, path string, limit int64) ([]byte, fs.FileInfo, error) {
	f, _, err := OpenFile(root, path, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return readOpen(f, path, limit)
}

// readOpen reads an open file. It is examined again, since the name may now refer to another file.
func readOpen(f *os.File, path string, limit int64) ([]byte, fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, unread(err)
	}
	if err := regular(path, info); err != nil {
		return nil, nil, err
	}
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size(), limit)+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, nil, unread(err)
	}
	if int64(data.Len()) > limit {
		return nil, nil, store.WrapProblem(store.ErrLimit, "%s has %d bytes, at most %d are read", path, max(info.Size(), limit+1), limit)
	}
	return data.Bytes(), info, nil
}

// regular refuses anything but a regular file.
func regular(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return store.WrapProblem(store.ErrForeign, "%s is %s, not a file", path, kind(info.Mode()))
	}
	return nil
}

func notFolder(path string, info fs.FileInfo) error {
	return store.WrapProblem(store.ErrForeign, "%s is %s, not a folder", path, kind(info.Mode()))
}

// unread classifies an error of a file that was opened. Even if it reports that there is no such file,
// as a network file system may, the document is not one that never was.
func unread(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return store.WrapProblem(store.ErrIO, "%v", err)
	}
	return SystemError(err)
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	default:
		return "a special file"
	}
}
