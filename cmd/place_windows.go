package cmd

import (
	"io/fs"
	"syscall"
)

// number returns what a folder keeps when it is moved on one file system, and a copy does not have: when it was made.
func number(info fs.FileInfo) uint64 {
	if data, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		return uint64(data.CreationTime.Nanoseconds())
	}
	return 0
}
