package cmd

import "runtime/debug"

// limitMemory keeps what reading a stream takes within a few megabytes and what its lines take, in bytes,
// however seldom garbage is collected otherwise.
func limitMemory(lines int) {
	const usual = 25 << 19
	debug.SetMemoryLimit(int64(usual + lines))
}
