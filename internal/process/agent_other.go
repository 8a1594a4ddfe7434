//go:build !linux

package process

import (
	"iter"

	"onward/internal/session"
)

// FindAgent returns nil: which process started a hook is not known on this system.
func FindAgent(string, func([]string) bool, *session.Process) *session.Process { return nil }

// ServerFolder returns nothing, for the same reason.
func ServerFolder(string, func([]string) bool) (folder string) { return "" }

// SignsAbove yields nothing, since the environments of others are not easily available on these systems.
func SignsAbove(map[string]string, ...string) iter.Seq2[string, []string] {
	return func(func(string, []string) bool) {}
}

// IsAncestor reports whether the process, which started then, still runs: what is above this one is not known here.
func IsAncestor(pid int, start, _ string) bool {
	is, runs := StartTime(pid)
	return runs && is == start
}

// Rename does nothing, since nothing is found by that name.
func Rename(string) {}

// Name returns nothing, for the same reason.
func Name() string { return "" }

// Self returns nil, because here onward cannot tell that a process is gone.
func Self() *session.Process { return nil }

// Lookup returns nil, for the same reason.
func Lookup(int) *session.Process { return nil }

// place returns nothing, so that no process is known to be gone.
func place() session.Process { return session.Process{} }
