package store

import "time"

// Lease is a held document whose store ends the hold if its holder does not answer for a while. The channel is closed
// once the store has said so. Whoever held it may hold it again, if nobody else has in between.
type Lease interface {
	Lapsed() <-chan struct{}
}

// Remote is a backend that asks servers, which may stop answering.
type Remote interface {
	// Silent returns since when the servers have not answered a request.
	// It is the zero time if nothing waits for an answer.
	Silent() time.Time
}
