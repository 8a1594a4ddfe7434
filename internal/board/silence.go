package board

import (
	"errors"
	"fmt"
	"time"

	"onward/internal/agents/stream"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/store"
	"onward/internal/todo"
)

// A store past this machine may stop answering. The user can still end the watching, and sees since when the store has been silent.

// quiet is how long a store may take to answer before the user is told.
const quiet = 2 * time.Second

// errOver ends the watching without an error.
var errOver = errors.New("the watching is over")

// readStoreInterruptibly runs a function that reads the store and has no other effect. The error is that of the function, or one that ends
// the watching while the store does not answer.
func (w *Watch) readStoreInterruptibly(read func() error) error {
	remote, ok := w.List.Storage.Backend.(store.Remote)
	if !ok {
		return read()
	}
	done := make(chan error, 1)
	go func() { done <- read() }()
	checks := time.NewTicker(quiet / 8)
	defer checks.Stop()
	for {
		var keys <-chan screen.Key
		if w.silent != "" {
			keys = w.Keys
		}
		select {
		case err := <-done:
			if !errors.Is(err, store.ErrUnavailable) {
				w.tellAnswers()
			} else {
				w.tellSilence(remote.Silent())
			}
			return err
		case <-checks.C:
			if since := remote.Silent(); !since.IsZero() && time.Since(since) > quiet {
				w.tellSilence(since)
			}
		case <-w.Interrupted:
			return cli.ExitCode(cli.ExitInterrupted)
		case <-w.Gone:
			return errOver
		case key := <-keys:
			if key == 'q' || key == 'Q' {
				return errOver
			}
		}
	}
}

// endsWatching reports whether an error of look ends the watching.
func endsWatching(err error) bool {
	var answer cli.ExitCode
	return errors.Is(err, errOver) || errors.As(err, &answer)
}

// tellSilence tells the user once since when the store has been silent.
func (w *Watch) tellSilence(since time.Time) {
	if w.silent != "" || since.IsZero() {
		return
	}
	w.since = since
	w.silent = "the store has not answered since " + since.Local().Format(time.TimeOnly)
	w.tell("store.silent", w.silent)
}

// tellAnswers tells the user that a store which was silent answers again.
func (w *Watch) tellAnswers() {
	if w.silent == "" {
		return
	}
	text := "the store answers again, after " + todo.SpanText(time.Since(w.since).Round(time.Second))
	w.silent = ""
	if w.Screen == nil { // the next frame shows it
		w.tell("store.answers", text)
	}
}

// tell shows a text: as an event where standard output is JSON lines.
func (w *Watch) tell(event continuation.Type, text string) {
	if !w.JSON {
		w.view.showMessage(text)
		return
	}
	_, _ = w.Out.Write(silenceEvent(w.List, event, w.since, time.Now())) // if the reader is gone, the watching ends anyway
}

// silenceEvent returns a unified event about the store, one line.
func silenceEvent(t find.List, event continuation.Type, since, now time.Time) []byte {
	u := stream.Update{Kind: stream.Onward, Session: t.Name.Session, SubAgent: t.Name.Agent, At: todo.TimeOf(now)}
	u.Event.Type = event
	line := u.AppendJSON(nil, u.EventID(since.String()), "", u.At)
	line = fmt.Appendf(line[:len(line)-1], `,"since":%q}`, todo.TimeOf(since).String())
	return append(render.EscapeJSON(line), '\n')
}

// withSilenceSince adds the time since which the store has been silent to an error.
func (w *Watch) withSilenceSince(err error) error {
	if w.silent == "" || !errors.Is(err, store.ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%s: %w", w.silent, err)
}
