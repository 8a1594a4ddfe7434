//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Append opens a file that the user named, to add to its end, as Destination finds it.
func Append(path string) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND | syscall.O_NOFOLLOW
	f, err := os.OpenFile(path, flags, 0o600)
	if !errors.Is(err, syscall.ELOOP) {
		return f, err
	}
	if path, err = Destination(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, flags, 0o600)
}

// mostLinks is how many links in a row are followed, as on Linux.
const mostLinks = 40

// Destination returns the file that a path leads to, which the user named to be written; a link that leads nowhere is returned as it is.
// Links are followed only if the user or root made them: in a folder that others may write, one could lead to a file of the user.
func Destination(path string) (string, error) {
	for range mostLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil // whoever writes it learns what is wrong
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && ofOthers(int(stat.Uid)) {
			return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("it is a link of another user")}
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		if _, err := os.Lstat(to); err != nil {
			return path, nil
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}
