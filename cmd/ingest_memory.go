package cmd

import "runtime/debug"

// limitMemory keeps what reading a stream takes within a few megabytes and what its lines take, in bytes.
// Within that, garbage is collected less often than usual: lists are built and dropped all the time.
func limitMemory(lines int) {
	const usual = 12 << 20
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(int64(usual + lines))
}
