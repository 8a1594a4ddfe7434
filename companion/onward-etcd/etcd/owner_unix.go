//go:build unix

package etcd

import (
	"io/fs"
	"syscall"
)

// ofRoot reports whether a file belongs to root.
func ofRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}
