package durable

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"

	"onward/internal/store"
)

// acquire locks a file against every other process, waiting as long as the caller does.
// If it fails, the file is closed. The locked byte is far after the text, because a lock on Windows
// forbids reading as well.
func acquire(f *os.File, p patience) (err error) {
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	deadline := time.Now().Add(p.wait)
	for {
		at := windows.Overlapped{Offset: 1 << 30}
		err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, windows.ERROR_NOT_SUPPORTED), errors.Is(err, windows.ERROR_INVALID_FUNCTION):
			return store.WrapProblem(store.ErrLockUnsupported, "the file system of the store does not support locks: %w", err)
		case !errors.Is(err, windows.ERROR_LOCK_VIOLATION) && !errors.Is(err, windows.ERROR_IO_PENDING):
			return SystemError(err)
		case p.interrupted() != nil:
			return p.interrupted()
		case time.Now().After(deadline):
			return store.WrapProblem(store.ErrBusy, "another process has been writing for %v", p.wait)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
