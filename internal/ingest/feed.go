package ingest

import (
	"io"

	"onward/internal/agents/stream"
)

// StoppableReader is an input that never makes its reader wait, and that ends early when Stop is closed: a read returns
// stream.ErrInputContinues then.
type StoppableReader struct {
	In   io.Reader
	Stop <-chan struct{}
}

func (r *StoppableReader) Read(p []byte) (int, error) {
	select {
	case <-r.Stop:
		return 0, stream.ErrInputContinues
	default:
		return r.In.Read(p)
	}
}

// feed reads an input that may block, in a goroutine that ends with the input, so that its user knows when no more input
// is available.
type feed struct {
	idle  func() error // called before the reader has to wait
	leave <-chan struct{}
	full  chan piece
	now   piece // the unread rest of the last piece
}

// piece is the result of one read of the input.
type piece struct {
	data []byte
	err  error
}

// feedSize is the usual size of a pipe's buffer.
const feedSize = 64 << 10

// NewFeed returns the input as a reader that calls idle before it has to wait, and that ends when leave is closed.
func NewFeed(in io.Reader, idle func() error, leave <-chan struct{}) io.Reader {
	f := &feed{idle: idle, leave: leave, full: make(chan piece)}
	go func() {
		ours, theirs := make([]byte, feedSize), make([]byte, feedSize)
		for {
			n, err := in.Read(ours)
			f.full <- piece{ours[:n], err}
			if err != nil {
				return
			}
			// The receiver of a piece does not use the one before any more.
			ours, theirs = theirs, ours
		}
	}()
	return f
}

// Read returns the available input. If there is none, it calls idle and then waits.
func (f *feed) Read(p []byte) (int, error) {
	for len(f.now.data) == 0 {
		if f.now.err != nil {
			return 0, f.now.err
		}
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.now.data)
	f.now.data = f.now.data[n:]
	return n, nil
}

// next returns the next piece.
func (f *feed) next() error {
	select {
	case f.now = <-f.full:
		return nil
	default:
	}
	if err := f.idle(); err != nil {
		return err
	}
	select {
	case f.now = <-f.full:
		return nil
	case <-f.leave:
		return stream.ErrInputContinues
	}
}
