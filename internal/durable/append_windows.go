package durable

import (
	"os"
	"path/filepath"
)

// Append opens a file that the user named, to add to its end.
func Append(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}

// Destination returns the file that a path leads to, which the user named to be written; a link that leads nowhere is returned as it is.
func Destination(path string) (string, error) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved, nil
	}
	return path, nil
}
