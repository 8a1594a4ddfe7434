//go:build unix

package cmd

import (
	"os"
	"syscall"
	"testing"
)

// holdLock acquires a lock as another process would, because each opening of a file holds a lock of its own.
func holdLock(t *testing.T, path string) (release func()) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}
