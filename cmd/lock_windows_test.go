package cmd

import (
	"os"
	"testing"

	"golang.org/x/sys/windows"
)

// holdLock acquires a lock as another process would, because each opening of a file holds a lock of its own.
func holdLock(t *testing.T, path string) (release func()) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := windows.Overlapped{Offset: 1 << 30}
	if err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &at); err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}
