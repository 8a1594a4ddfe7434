package cmd

import "runtime/debug"

// limitMemory bounds the memory for reading a stream to a few megabytes and the size of its lines, in bytes,
// however seldom garbage is collected otherwise. Lines of the usual length need no more than that.
func limitMemory(lines int) {
	const usual, long = 25 << 19, 2 << 20
	debug.SetMemoryLimit(int64(usual + max(0, lines-long)))
}
