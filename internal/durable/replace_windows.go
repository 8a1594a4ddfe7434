package durable

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// Rename replaces one file by another.
// A virus scanner or an indexer may hold the target open for a moment, so it is tried for two seconds.
func Rename(root *os.Root, from, to string) error {
	for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		err := root.Rename(from, to)
		held := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !held || time.Now().After(deadline) {
			return err
		}
	}
}

// SyncDir has nothing to do: Windows has no fsync for folders.
func SyncDir(*os.Root, string) error { return nil }
