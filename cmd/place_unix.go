//go:build unix

package cmd

import (
	"io/fs"
	"syscall"
)

// number returns what a folder keeps when it is moved on one file system, and a copy does not have: its inode.
func number(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}
