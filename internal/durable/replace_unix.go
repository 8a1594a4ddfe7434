//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// rename replaces one file by another, atomically.
func rename(root *os.Root, from, to string) error { return root.Rename(from, to) }

// syncDir makes a rename durable. Some file systems report that they cannot; that is not a failure.
func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
