//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// Rename puts one file in the place of another, in one step.
func Rename(root *os.Root, from, to string) error { return root.Rename(from, to) }

// SyncDir makes a rename durable. Some file systems cannot, and say so; that is no failure.
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
