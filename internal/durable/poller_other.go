//go:build !linux

package durable

// possible is not known without Linux.
func possible() error { return nil }
