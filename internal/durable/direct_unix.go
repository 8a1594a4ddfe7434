//go:build unix

package durable

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// readDirect reads a regular file of a store whole, as readFile does, if nothing is in the way:
// otherwise, if only because there is no such file, it returns nil, and readFile reports the reason. Foreign says that the file is
// another user's.
//
// It asks the system directly. Go offers each file that it opens to its poller first, which is of no use
// for one on disk, and takes longer than the reading of a session document.
func readDirect(dir, path string, limit int64) (data []byte, foreign bool) {
	fd := openBelow(dir, path)
	if fd < 0 {
		return nil, false
	}
	defer func() { _ = unix.Close(fd) }()
	var stat unix.Stat_t
	if unix.Fstat(fd, &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG || stat.Size > limit {
		return nil, false
	}
	// A byte more than there should be shows whether the file grew.
	data = make([]byte, stat.Size+1)
	length := 0
	for length < len(data) {
		n, err := unix.Read(fd, data[length:])
		if err != nil {
			return nil, false
		}
		if n == 0 {
			return data[:length], ofOthers(int(stat.Uid)) || stat.Mode&0o002 != 0
		}
		length += n
	}
	return nil, false
}

// openBelow opens a file below a folder without following links, or returns -1.
// Only the folder itself may be a link, which the user chose.
func openBelow(dir, path string) int {
	const flags = unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK // a pipe would wait for its writer
	at := unix.AT_FDCWD
	for inside, above := true, dir+string(os.PathSeparator); inside; above = "" {
		var name string
		kind := unix.O_DIRECTORY
		if name, path, inside = strings.Cut(path, string(os.PathSeparator)); !inside {
			kind = 0
		}
		folder := at
		var err error
		at, err = unix.Openat(folder, above+name, flags|kind, 0)
		if folder != unix.AT_FDCWD {
			_ = unix.Close(folder)
		}
		if err != nil {
			return -1
		}
	}
	return at
}

// absent reports that there is nothing at a path.
func absent(path string) bool {
	var stat unix.Stat_t
	for {
		err := unix.Lstat(path, &stat)
		if err != unix.EINTR {
			return err == unix.ENOENT
		}
	}
}
