package durable

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename replaces one file by another.
// A virus scanner or an indexer may hold the target open for a moment, so it is tried for two seconds.
func rename(by func(from, to string) error, from, to string) error {
	for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		err := by(from, to)
		held := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !held || time.Now().After(deadline) {
			return err
		}
	}
}

// syncDir has nothing to do: Windows has no fsync for folders.
func syncDir(func(string) (*os.File, error), string) error { return nil }
