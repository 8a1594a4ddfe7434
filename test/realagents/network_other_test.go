//go:build unix && !linux

package realagents

// isolate does nothing, since this system has no network namespaces.
func isolate() (code int, ok bool) { return 0, false }
