//go:build !linux

package poller

// possible is not known without Linux.
func possible() error { return nil }
