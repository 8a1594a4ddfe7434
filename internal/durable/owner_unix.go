//go:build unix

package durable

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// ofOthers reports whether a user is neither the one who runs this program nor root. With sudo, root acts for the user who called it.
func ofOthers(uid int) bool {
	me := os.Geteuid()
	return uid != me && uid != 0 && (me != 0 || os.Getenv("SUDO_UID") != strconv.Itoa(uid))
}

// foreign reports whether a file is another user's, or one that every user may write.
func foreign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (ofOthers(int(stat.Uid)) || info.Mode().Perm()&0o002 != 0)
}

// writesForOthers reports whether what this process writes in a folder belongs to another user, as what root writes there does.
func writesForOthers(root *os.Root) bool {
	if os.Geteuid() != 0 {
		return false
	}
	info, err := root.Stat(".")
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && ofOthers(int(stat.Uid))
}

// owned reports whether a file is the caller's, and no other user may write it.
func owned(_ string, info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o002 == 0
}

// chown changes the owner of a new file or folder of a store to the owner of the store, if root
// works in it. Otherwise one command run with sudo would lock the owner out of the list.
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
