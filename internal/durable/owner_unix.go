//go:build unix

package durable

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a file is the caller's, and no other user may write it.
func owned(_ string, info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o002 == 0
}
