//go:build unix

package durable

import (
	"os"
	"syscall"
)

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
