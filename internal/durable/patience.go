package durable

import (
	"context"
	"errors"
	"time"

	"onward/internal/store"
)

// patience is how long a caller waits for another writer.
type patience struct {
	wait time.Duration
	ctx  context.Context // ends the waiting when it is cancelled; nil never is
}

// patience is the caller's: the deadline of its context, or else the store's own limit.
func (s *Store) patience() patience {
	p := patience{s.Wait, s.ctx}
	if s.ctx != nil {
		if end, limited := s.ctx.Deadline(); limited {
			p.wait = time.Until(end)
		}
	}
	return p
}

// done is closed when the waiting is to end.
func (p patience) done() <-chan struct{} {
	if p.ctx == nil {
		return nil
	}
	return p.ctx.Done()
}

// interrupted returns an error once the caller's context is cancelled. A deadline that has passed is no interrupt.
func (p patience) interrupted() error {
	if p.ctx == nil || !errors.Is(p.ctx.Err(), context.Canceled) {
		return nil
	}
	return store.WrapProblem(store.ErrInterrupted, "while another process was writing")
}
