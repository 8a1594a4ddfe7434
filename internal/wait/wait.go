// Package wait waits for a change of the store, for the user or for a signal. Its clock also counts the time during which the
// machine sleeps.
package wait

import (
	"io"
	"os"
	"strings"
	"time"

	"onward/internal/ask"
	"onward/internal/store"
)

// Waiting waits for changes of the store. It starts to watch when it first waits.
type Waiting struct {
	began   time.Time
	begin   func() store.Watch
	watch   *store.Watch
	Entered <-chan struct{} // the user typed an empty line; nil without a keyboard
	Signals chan os.Signal  // of a command that handles them itself; else nil
}

// New returns a wait that begins now. It watches what begin starts to watch.
func New(begin func() store.Watch) *Waiting {
	return &Waiting{began: time.Now(), begin: begin}
}

// Elapsed returns the time since the wait began.
func (w *Waiting) Elapsed() time.Duration { return Since(w.began) }

// Since returns how long ago a moment was, by the clock that went on for longer: the monotonic one stops while the machine
// sleeps, and the wall clock may be set back.
func Since(began time.Time) time.Duration { return max(time.Since(began), time.Since(began.Round(0))) }

// Wait lets time pass, at most d, until the list changes. The first call starts to watch and returns immediately, because the caller must look again for changes that
// came before.
func (w *Waiting) Wait(d time.Duration) ask.WakeReason {
	if w.watch == nil {
		watch := w.begin()
		w.watch = &watch
		return ask.Changed
	}
	began := time.Now()
	for {
		select {
		case <-w.watch.Changes:
			return ask.Changed
		case <-w.Entered:
			return ask.CountdownSkipped
		case s := <-w.Signals:
			select {
			case w.Signals <- s: // for the command, which reads it after the question
			default: // it has others to read
			}
			return ask.Stopped
		case <-time.After(min(d-Since(began), time.Minute)):
			if Since(began) >= d {
				return ask.WokeAtLimit
			}
		}
	}
}

// After does something once a time has passed, unless it is over before. The machine may sleep in the meantime.
func After(d time.Duration, over <-chan struct{}, do func()) {
	for began := time.Now(); ; {
		left := d - Since(began)
		if left <= 0 {
			do()
			return
		}
		select {
		case <-over:
			return
		case <-time.After(min(left, time.Minute)):
		}
	}
}

// Close ends the watching.
func (w *Waiting) Close() {
	if w.watch != nil {
		w.watch.Close()
	}
}

// DropInput drops an empty line that was typed before.
func (w *Waiting) DropInput() {
	select {
	case <-w.Entered:
	default:
	}
}

// EmptyLines reports the empty lines of an input. One is kept until it is asked for, because it
// may come between two waits of one countdown.
func EmptyLines(in io.Reader) <-chan struct{} {
	entered := make(chan struct{}, 1)
	go func() {
		line := make([]byte, 256)
		for {
			n, err := in.Read(line)
			if err != nil || n == 0 {
				return
			}
			if strings.TrimSpace(string(line[:n])) == "" {
				select {
				case entered <- struct{}{}:
				default:
				}
			}
		}
	}()
	return entered
}
