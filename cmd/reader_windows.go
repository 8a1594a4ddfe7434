package cmd

// readerGone returns nil: on Windows the next write finds out.
func readerGone(any) <-chan struct{} { return nil }

// ignoreBackgroundRead does nothing: on Windows no program is stopped for reading.
func ignoreBackgroundRead() {}

// isClosed reports false: on Windows writing to a closed stream fails.
func isClosed(any) bool { return false }
