//go:build unix && !linux

package realagents

// isolate does nothing if there are no network namespaces.
func isolate() (code int, ok bool) { return 0, false }
