package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/store"
	"onward/internal/todo"
)

// waiting waits for changes of the store. It starts to watch when it first waits.
type waiting struct {
	began   time.Time
	begin   func() store.Watch
	watch   *store.Watch
	entered <-chan struct{} // the user typed an empty line; nil without a keyboard
	signals chan os.Signal  // of a command that handles them itself; else nil
}

func newWaiting(begin func() store.Watch) *waiting {
	return &waiting{began: time.Now(), begin: begin}
}

func (w *waiting) Elapsed() time.Duration { return since(w.began) }

// since returns how long ago a moment was, by the clock that went on for longer: the monotonic one stops while the machine
// sleeps, and the wall clock may be set back.
func since(began time.Time) time.Duration { return max(time.Since(began), time.Since(began.Round(0))) }

// The first call of Wait starts to watch and returns immediately, because the caller must look again for changes that
// came before.
func (w *waiting) Wait(d time.Duration) ask.Wake {
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
		case <-w.entered:
			return ask.Hurried
		case s := <-w.signals:
			select {
			case w.signals <- s: // for the command, which reads it after the question
			default: // it has others to read
			}
			return ask.Stopped
		case <-time.After(min(d-since(began), time.Minute)):
			if since(began) >= d {
				return ask.TimeUp
			}
		}
	}
}

// after does something once a time has passed, unless it is over before. The machine may sleep meanwhile.
func after(d time.Duration, over <-chan struct{}, do func()) {
	for began := time.Now(); ; {
		left := d - since(began)
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

func (w *waiting) Close() {
	if w.watch != nil {
		w.watch.Close()
	}
}

// Forget drops an empty line that was typed before.
func (w *waiting) Forget() {
	select {
	case <-w.entered:
	default:
	}
}

// listen lets an empty line from the user's keyboard end a countdown, and reports whether there is one.
func (w *waiting) listen(in io.Reader) bool {
	if w.entered == nil && isTerminal(in) {
		ignoreBackgroundRead()
		w.entered = emptyLines(in)
	}
	return w.entered != nil
}

// emptyLines reports the empty lines of an input. One is kept until it is asked for, because it
// may come between two waits of one countdown.
func emptyLines(in io.Reader) <-chan struct{} {
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

// askNotes shows on standard error what a decision waits for.
type askNotes struct {
	a       *app
	waiting *waiting
}

func (n askNotes) Idle(calls int) {
	n.a.printNote(fmt.Sprintf("%s scheduled, and no `onward schedule run` is at work on that", todo.Plural(calls, "call")))
}

func (n askNotes) Waiting(d continuation.Decision) { n.a.printNote(d.Message + "; waiting") }

func (n askNotes) Counting(left, open int) {
	hint := ""
	if isTerminal(n.a.err) && n.waiting.listen(n.a.in) {
		hint = " Ctrl-C cancels, Enter continues"
	}
	n.a.printNote(fmt.Sprintf("Resuming in %ds... (%s remaining)%s", left, todo.Plural(open, "task"), hint))
}
