package cli

import (
	"io"
	"sync"
	"time"
)

const (
	// patience is how long a write waits for the reader of the output. Later writes wait no more, until it has caught up.
	patience = 100 * time.Millisecond

	// maxWaiting is how many bytes are buffered for a reader that stalls. Beyond that, every write waits for it.
	maxWaiting = 16 << 20
)

// Printer writes to standard output, and nothing more after a write has failed.
// When Write returns, the data is written, unless the reader stalls: then it is
// buffered, so that a list is saved even if nobody reads its events.
type Printer struct {
	w     io.Writer
	leave chan struct{} // closed when no write may wait any more

	mu    sync.Mutex
	queue []byte        // what drain has not begun to write
	idle  chan struct{} // closed when everything is written; nil if drain does not run
	late  bool          // the reader stalls
	gone  bool          // the reader has closed its end
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
			p.late = p.idle == idle // not if the reader caught up in this moment
			p.mu.Unlock()
		}
	}
	return len(data), nil
}

// Abandon ends all waiting. Output that the reader does not read immediately is lost.
func (p *Printer) Abandon() { close(p.leave) }

// Finish waits until everything is written, or Abandon is called,
// and reports whether output was lost.
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
