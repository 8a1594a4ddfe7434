package durable

import "os"

// Append opens a file that the user named, to add to its end.
func Append(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}
