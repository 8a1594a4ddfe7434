//go:build unix

package durable

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A transaction keeps the folder of its document open, and each step in it is one system call. os.Root would find
// the folder again for every step, and Go would offer every file to its poller, which is useless for files on disk.
// The folder was opened by os.Root, and the names are single ones, so nothing leads outside here either.

func openFolder(root *os.Root, folder string) (*os.File, error) { return root.Open(folder) }

// open opens a file of the folder; a link is refused.
func (t *Transaction) open(name string, flag int) (*os.File, error) {
	for {
		fd, err := unix.Openat(int(t.folder.Fd()), name, flag|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, &os.PathError{Op: "openat", Path: filepath.Join(t.doc.Folder, name), Err: err}
		}
		return os.NewFile(uintptr(fd), name), nil
	}
}

// rename replaces one file of the folder by another, atomically.
func (t *Transaction) rename(from, to string) error {
	at := int(t.folder.Fd())
	if err := unix.Renameat(at, from, at, to); err != nil {
		return &os.LinkError{Op: "renameat", Old: filepath.Join(t.doc.Folder, from), New: filepath.Join(t.doc.Folder, to), Err: err}
	}
	return nil
}

// syncFolder makes a rename durable.
func (t *Transaction) syncFolder() error { return synced(t.folder) }
