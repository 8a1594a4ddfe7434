//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Append opens a file that the user named, to add to its end. A link is followed only if the user or root made it: in a folder that
// others may write, it could lead to a file of the user.
func Append(path string) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND | syscall.O_NOFOLLOW
	f, err := os.OpenFile(path, flags, 0o600)
	if !errors.Is(err, syscall.ELOOP) {
		return f, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && ofOthers(int(stat.Uid)) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is a link of another user")}
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, flags, 0o600)
}
