//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// rename replaces one file by another, atomically.
func rename(by func(from, to string) error, from, to string) error { return by(from, to) }

// syncDir makes a rename durable. Some file systems report that they cannot; that is not a failure.
func syncDir(open func(string) (*os.File, error), dir string) error {
	d, err := open(dir)
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
