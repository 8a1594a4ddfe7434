package cmd

import (
	"io"

	"onward/internal/agent"
)

// leavable is an input that never makes its reader wait, and that can be left before its end.
type leavable struct {
	in    io.Reader
	leave <-chan struct{}
}

func (l *leavable) Read(p []byte) (int, error) {
	select {
	case <-l.leave:
		return 0, agent.ErrUnfinished
	default:
		return l.in.Read(p)
	}
}

// feed reads an input that may make its reader wait, in a goroutine that ends with the input,
// so that it is known when no more input is available.
type feed struct {
	idle  func() error // called before the reader has to wait
	leave <-chan struct{}
	full  chan piece
	free  chan []byte
	now   piece
	rest  []byte // of now, to be given
}

// piece is the result of one read of the input.
type piece struct {
	data []byte
	err  error
}

// feedSize is as much as a pipe usually holds.
const feedSize = 64 << 10

func newFeed(in io.Reader, idle func() error, leave <-chan struct{}) *feed {
	const pieces = 2
	f := &feed{idle: idle, leave: leave, full: make(chan piece, pieces), free: make(chan []byte, pieces)}
	for range pieces {
		f.free <- make([]byte, feedSize)
	}
	go func() {
		for buf := range f.free {
			n, err := in.Read(buf)
			f.full <- piece{buf[:n], err}
			if err != nil {
				return
			}
		}
	}()
	return f
}

// Read returns the available input. If there is none, it reports that before it waits.
func (f *feed) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		if f.now.err != nil {
			return 0, f.now.err
		}
		if f.now.data != nil {
			f.free <- f.now.data[:feedSize]
			f.now.data = nil
		}
		if err := f.next(); err != nil {
			return 0, err
		}
		f.rest = f.now.data
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
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
		return agent.ErrUnfinished
	}
}
