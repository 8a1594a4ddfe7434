//go:build unix

package find

import "syscall"

// currentFolder returns the working folder without links in its path, which the system knows.
func currentFolder() (string, error) { return syscall.Getwd() }
