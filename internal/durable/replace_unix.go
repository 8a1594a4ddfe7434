//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// Rename replaces one file by another, atomically.
func Rename(root *os.Root, from, to string) error { return root.Rename(from, to) }

// SyncDir makes a rename durable. Some file systems report that they cannot; that is not a failure.
func SyncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return synced(d)
}

// synced returns when the disk has a folder.
func synced(d *os.File) error {
	err := d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
