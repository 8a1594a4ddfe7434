package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/schedule"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// watch watches what another process changes when it does something to the list, to its tool calls or its messages.
func (t target) watch() store.Watch { return t.files.Watch(t.keys()...) }

// keys are the addresses of a list and of its tool calls.
func (t target) keys() []store.Key { return []store.Key{session.Key(t.name), schedule.Key(t.name)} }

// watchCalls watches what another process changes when it does something to the tool calls or the messages.
func (t target) watchCalls() store.Watch { return t.files.Watch(schedule.Key(t.name)) }

// waiting is woken by changes of the store. It watches only once it waits.
type waiting struct {
	began time.Time
	begin func() store.Watch
	watch *store.Watch

	keys  <-chan screen.Key // what the user types; nil without a keyboard
	typed screen.Key        // the key that ended the last wait; 0 if none
	ended error             // why the waiting is over for good: it was interrupted, or the reader of standard output is gone

	interrupted <-chan os.Signal // nil where a signal ends the process
	gone        <-chan struct{}
	notes       <-chan string // for the user, from what continues beside
	note        string
}

func newWaiting(begin func() store.Watch) *waiting { return &waiting{began: time.Now(), begin: begin} }

func (w *waiting) Elapsed() time.Duration { return time.Since(w.began) }

// Wait begins to watch at its first call, and returns at once then:
// what changed before is seen by another look.
func (w *waiting) Wait(d time.Duration) ask.Wake {
	if w.watch == nil {
		watch := w.begin()
		w.watch = &watch
		return ask.Changed
	}
	over := time.NewTimer(d)
	defer over.Stop()
	w.typed, w.note = 0, ""
	select {
	case <-w.watch.Changes:
		return ask.Changed
	case w.note = <-w.notes:
		return ask.Changed
	case w.typed = <-w.keys:
		return ask.Hurried
	case <-w.interrupted:
		w.ended = cli.Answer(exitInterrupted)
		return ask.Hurried
	case <-w.gone:
		w.ended = syscall.EPIPE
		return ask.Hurried
	case <-over.C:
		return ask.TimeUp
	}
}

// again restarts the watch if the documents to watch have changed.
func (w *waiting) again() {
	w.Close()
	w.watch = nil
}

func (w *waiting) Close() {
	if w.watch != nil {
		w.watch.Close()
	}
}

// Forget drops a key that was typed before.
func (w *waiting) Forget() {
	select {
	case <-w.keys:
	default:
	}
}

// listen lets an empty line from the user's keyboard end a countdown, and reports whether there is one.
func (w *waiting) listen(in io.Reader) bool {
	if w.keys == nil && isTerminal(in) {
		ignoreBackgroundRead()
		w.keys = emptyLines(in)
	}
	return w.keys != nil
}

// emptyLines reports the empty lines of an input. One is kept until somebody asks for it,
// since it may come in between two waits of one countdown.
func emptyLines(in io.Reader) <-chan screen.Key {
	keys := make(chan screen.Key, 1)
	go func() {
		line := make([]byte, 256)
		for {
			n, err := in.Read(line)
			if err != nil || n == 0 {
				return
			}
			if strings.TrimSpace(string(line[:n])) == "" {
				select {
				case keys <- screen.Enter:
				default:
				}
			}
		}
	}()
	return keys
}

// askNotes shows on standard error what a question waits for.
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
