package store

import "time"

// Remote is a backend that asks servers, which may stop answering.
type Remote interface {
	// Silent returns since when the servers have answered nothing that they were asked.
	// It is the zero time if nothing waits for an answer.
	Silent() time.Time
}
