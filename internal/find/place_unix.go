//go:build unix

package find

import (
	"io/fs"
	"syscall"
)

// number returns the inode of a folder, which it keeps when it is moved within a file system. A copy has another one.
func number(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}
