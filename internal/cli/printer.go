package cli

import (
	"io"
	"sync"
	"time"
)

const (
	// patience is how long a write waits for who reads our output before it continues without.
	patience = 100 * time.Millisecond

	// maxWaiting is how much output waits in memory for who reads it, in bytes; then all wait.
	maxWaiting = 16 << 20
)

// Printer writes to standard output until it is closed, and then no more.
// A write is out when it returns, unless the reader at the other end stalls:
// then it is buffered, so that a list is saved even if its events are not read.
type Printer struct {
	w     io.Writer
	more  chan struct{} // something was queued
	leave chan struct{} // closed when the printer must not wait any more

	mu    sync.Mutex
	queue []byte        // not written yet, nor being written
	idle  chan struct{} // closed when all is written
	late  bool          // the reader stalls
	gone  bool          // the reader is gone
}

// NewPrinter starts a printer; it ends with the program.
func NewPrinter(w io.Writer) *Printer {
	p := &Printer{w: w, more: make(chan struct{}, 1), leave: make(chan struct{}), idle: make(chan struct{})}
	close(p.idle)
	go p.run()
	return p
}

// run writes what is queued. It ends with the program.
func (p *Printer) run() {
	for range p.more {
		for data := p.next(); data != nil; data = p.next() {
			if _, err := p.w.Write(data); err != nil {
				p.mu.Lock()
				p.gone, p.queue = true, nil
				p.mu.Unlock()
			}
		}
	}
}

// next returns what is queued, nil where that is nothing.
func (p *Printer) next() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	data := p.queue
	p.queue = nil
	if len(data) == 0 {
		p.late = false
		select {
		case <-p.idle:
		default:
			close(p.idle)
		}
		return nil
	}
	return data
}

// Write never fails: unread output must not stop reading and saving.
func (p *Printer) Write(data []byte) (int, error) {
	p.mu.Lock()
	if p.gone || len(data) == 0 {
		p.mu.Unlock()
		return len(data), nil
	}
	select {
	case <-p.idle:
		p.idle = make(chan struct{})
	default:
	}
	p.queue = append(p.queue, data...)
	idle, late, waiting := p.idle, p.late, len(p.queue)
	p.mu.Unlock()
	select {
	case p.more <- struct{}{}:
	default: // it knows already
	}
	switch {
	case waiting > maxWaiting:
		select {
		case <-idle:
		case <-p.leave:
		}
	case !late:
		select {
		case <-idle:
		case <-time.After(patience):
			p.stalls(idle)
		}
	}
	return len(data), nil
}

// stalls notes that the reader does not take what was queued, unless it just did.
func (p *Printer) stalls(idle <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-idle:
	default:
		p.late = true
	}
}

// Abandon ends the waiting: what the reader does not read at once is lost.
func (p *Printer) Abandon() { close(p.leave) }

// Finish waits until everything is written, or Abandon was called,
// and reports whether something was not taken.
func (p *Printer) Finish() (lost bool) {
	p.mu.Lock()
	idle := p.idle
	p.mu.Unlock()
	select {
	case <-idle:
		return false
	case <-p.leave:
	}
	select {
	case <-idle:
		return false
	case <-time.After(patience):
		return true
	}
}
