package process

// ReaderGone returns nil: on Windows the next write finds out.
func ReaderGone(any) <-chan struct{} { return nil }

// IgnoreBackgroundRead does nothing: on Windows no program is stopped for reading.
func IgnoreBackgroundRead() {}

// IsClosed reports false: on Windows writing to a closed stream fails.
func IsClosed(any) bool { return false }
