package ingest

import "runtime/debug"

// LimitMemory bounds the memory for reading a stream to some twenty megabytes and the size of its lines, in bytes,
// however seldom garbage is collected otherwise. Lines of the usual length need no more than that.
func LimitMemory(lines int) {
	const usual, long = 24 << 20, 2 << 20
	debug.SetMemoryLimit(int64(usual + max(0, lines-long)))
}
