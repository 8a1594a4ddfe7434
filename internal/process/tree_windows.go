package process

import "syscall"

// AdoptOrphans does nothing: a job contains what a gate starts.
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

// KillMarked finds no process: the job ends with the process that made it.
func KillMarked(name, value string) (found bool) { return false }

// ParentGone reports nothing: whether a parent has ended is not known on this system.
func ParentGone() (gone func() bool) { return nil }
