package store

import "time"

// Remote is a backend that asks servers, which may stop answering.
type Remote interface {
	// Silent returns since when the servers have not answered a request.
	// It is the zero time if nothing waits for an answer.
	Silent() time.Time
}
