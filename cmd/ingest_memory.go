package cmd

import "runtime/debug"

// limitMemory keeps what reading a stream takes within a few megabytes and what its lines take, in bytes,
// however seldom garbage is collected otherwise. Lines that are not long are among what is usual.
func limitMemory(lines int) {
	const usual, long = 25 << 19, 2 << 20
	debug.SetMemoryLimit(int64(usual + max(0, lines-long)))
}
