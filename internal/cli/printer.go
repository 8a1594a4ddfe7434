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
	leave chan struct{} // closed when the printer must not wait any more

	mu    sync.Mutex
	queue []byte        // not written yet, nor being written
	idle  chan struct{} // closed when all is written; nil where nothing is
	late  bool          // the reader stalls
	gone  bool          // the reader is gone
}

// NewPrinter returns a printer to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w, leave: make(chan struct{})} }

// drain writes until nothing is queued.
func (p *Printer) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) > 0 {
		data := p.queue
		p.queue = nil
		p.mu.Unlock()
		_, err := p.w.Write(data)
		p.mu.Lock()
		if err != nil {
			p.gone, p.queue = true, nil
		}
	}
	close(p.idle)
	p.idle, p.late = nil, false
}

// Write never fails: unread output must not stop reading and saving.
func (p *Printer) Write(data []byte) (int, error) {
	p.mu.Lock()
	if p.gone || len(data) == 0 {
		p.mu.Unlock()
		return len(data), nil
	}
	p.queue = append(p.queue, data...)
	if p.idle == nil {
		p.idle = make(chan struct{})
		go p.drain()
	}
	idle, late, waiting := p.idle, p.late, len(p.queue)
	p.mu.Unlock()
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
			p.mu.Lock()
			p.late = p.idle == idle // unless it was just read
			p.mu.Unlock()
		}
	}
	return len(data), nil
}

// Abandon ends the waiting: what the reader does not read immediately is lost.
func (p *Printer) Abandon() { close(p.leave) }

// Finish waits until everything is written, or Abandon was called,
// and reports whether something was not taken.
func (p *Printer) Finish() (lost bool) {
	p.mu.Lock()
	idle := p.idle
	p.mu.Unlock()
	if idle == nil {
		return false
	}
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
