//go:build !linux

package process

import "onward/internal/session"

// Agent returns nil: which process started a hook is not known on this system.
func Agent(string, func([]string) bool, *session.Process) *session.Process { return nil }

// Server returns nothing, for the same reason.
func Server(string, func([]string) bool) (folder string) { return "" }

// Inherited returns nothing, since the environments of others are not easily available on these systems.
func Inherited(map[string]string, ...string) (name string, environment []string) { return "", nil }

// Above reports whether the process, which started then, still runs: what is above this one is not known here.
func Above(pid int, start, _ string) bool {
	is, runs := Start(pid)
	return runs && is == start
}

// Rename does nothing, since nothing is found by that name.
func Rename(string) {}

// Name returns nothing, for the same reason.
func Name() string { return "" }

// Self returns nil, for no process is known to be gone.
func Self() *session.Process { return nil }

// Lookup returns nil, for the same reason.
func Lookup(int) *session.Process { return nil }

// place returns nothing, so that no process is known to be gone.
func place() session.Process { return session.Process{} }
