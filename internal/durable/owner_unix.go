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

// chown changes the owner of a new file or folder of a store to the owner of the store, where it is
// root who works in it. Otherwise one command run with sudo would lock the owner out of the list.
func chown(root *os.Root, path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := root.Stat(".")
	if err != nil {
		return err
	}
	store, ok := info.Sys().(*syscall.Stat_t)
	if !ok || store.Uid == 0 {
		return nil
	}
	return root.Lchown(path, int(store.Uid), int(store.Gid))
}
