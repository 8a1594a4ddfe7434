package durable

import "os"

// Adopt does nothing: on Windows a new file inherits the permissions of its folder.
func Adopt(*os.Root, string) error { return nil }
