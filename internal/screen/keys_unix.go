//go:build unix

package screen

import (
	"os"

	"golang.org/x/sys/unix"
)

// enterKeyMode makes a terminal pass on each key as it is typed and echo none.
// Keys that send signals still do. It returns what puts the terminal back, or
// nil if the terminal is not ours.
func enterKeyMode(in *os.File) func() {
	fd := int(in.Fd())
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	if err != nil || group != unix.Getpgrp() {
		return nil // in the background, where the change would stop us
	}
	before, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil
	}
	keys := *before
	keys.Lflag &^= unix.ICANON | unix.ECHO
	keys.Cc[unix.VMIN], keys.Cc[unix.VTIME] = 1, 0
	if unix.IoctlSetTermios(fd, setTermios, &keys) != nil {
		return nil
	}
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, before) }
}
