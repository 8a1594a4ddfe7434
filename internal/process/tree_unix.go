//go:build unix && !linux

package process

import (
	"os"
	"syscall"
)

// AdoptOrphans does nothing: on this system, what has lost its parent is lost.
func AdoptOrphans() (release func()) { return func() {} }

// Children returns nothing, for the same reason.
func Children() (ids []int) { return nil }

// KillDescendantsExcept finds no process, for the same reason.
func KillDescendantsExcept([]int, syscall.Signal) (remain bool) { return false }

// InputOf names nothing: the open files of others are not easily available on this system.
func InputOf(int) string { return "" }

// WorksBelow finds no process, as above.
func WorksBelow([]int, string) bool { return false }

// CanFindMarked reports that KillMarked can find processes here.
const CanFindMarked = false

// KillMarked finds no process: the environments of others are not easily available on this system.
func KillMarked(name, value string) (found bool) { return false }

// ParentGone returns a function that reports whether the parent of this process has ended.
func ParentGone() (gone func() bool) {
	parent := os.Getppid()
	return func() bool { return os.Getppid() != parent }
}
