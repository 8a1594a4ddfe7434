// Package ingest reads the output of an agent. While the input is still coming, it saves what the output says, shows it and prints
// it, in this order. Its callers are `onward ingest`, a turn of `onward run`, and the simulator of nights.
package ingest

import (
	"errors"
	"io"
	"time"

	"onward/internal/agents/stream"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

const (
	// commitEvery is how long updates are collected before they are saved together, while more input is available.
	commitEvery = 100 * time.Millisecond

	// maxUnsaved is how many bytes of updates may wait to be saved, so that memory stays bounded.
	maxUnsaved = 1 << 20

	// batch is how many bytes of events are printed at once while more input is available.
	batch = 32 << 10
)

// Flow passes the updates of a stream to the store, the screen and standard output.
// If input comes as slowly as an agent writes it, each update is saved before waiting for the next line.
// If input arrives faster than it can be saved, updates are saved together.
// Nothing is shown or printed before it is saved.
type Flow struct {
	Reader *stream.Reader
	Saver  *ask.Saver            // nil if nothing is saved
	Show   func([]stream.Update) // brings updates to the screen; nil if none is shown
	Print  func([]byte)          // takes the events for standard output; nil if none are printed
	Note   func(string)          // takes a warning for the user
	Saw    func([]stream.Update) // is called with the updates that were read; may be nil

	Clock   func() (todo.Time, error) // the time of changes
	Elapsed func() time.Duration      // the time since some moment, which only grows

	unsaved []stream.Update // updates for the screen
	lines   []byte          // events for standard output
	saved   time.Duration   // when the last commit was
	waiting int             // the bytes of the updates since then

	last   continuation.Type // the last activity that was recorded
	signed time.Duration     // when it was
}

// Run reads the stream to its end.
func (f *Flow) Run(name string, now todo.Time) error {
	seed := now.String()
	for {
		updates, err := f.Reader.Next()
		for _, w := range f.Reader.TakeWarnings() {
			f.Note(w)
		}
		if f.Saw != nil {
			f.Saw(updates)
		}
		if f.Saver != nil && len(updates) > 0 {
			updates = ask.CloneUpdates(updates)
			f.waiting += memoryOf(updates)
			if err := f.Saver.Add(updates); err != nil {
				return err
			}
		}
		if f.Show != nil {
			f.unsaved = append(f.unsaved, updates...)
		}
		if f.Print != nil {
			for _, u := range updates {
				f.lines = append(u.AppendJSON(f.lines, u.EventID(seed), name, now), '\n')
			}
		}
		if err != nil || f.due() {
			if err := f.flush(); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, stream.ErrInputContinues):
			return err
		case errors.Is(err, io.EOF):
			if f.Saver == nil {
				return nil
			}
			if err := f.Saver.SaveUnread(f.Reader.Summary()); err != nil {
				return err
			}
			return f.Saver.End()
		case err != nil:
			return cli.Failf(cli.ExitIO, "read the stream: %v", err)
		}
	}
}

// due reports whether pending updates are to be saved and printed although more input is available.
func (f *Flow) due() bool {
	if f.Saver == nil {
		return f.Show != nil || len(f.lines) >= batch
	}
	return f.waiting >= maxUnsaved || f.saved == 0 || f.Elapsed()-f.saved >= commitEvery
}

// memoryOf returns about how many bytes updates take up until they are saved.
func memoryOf(updates []stream.Update) (bytes int) {
	const usual = 1 << 10 // of an update without its items
	for i := range updates {
		bytes += usual + len(updates[i].Said) + stream.EstimateMemory(updates[i].Event.Items)
	}
	return bytes
}

// flush saves, shows and prints the pending updates.
func (f *Flow) flush() error {
	if f.Saver != nil {
		var err error
		if f.Saver.Now, err = f.Clock(); err != nil {
			return err
		}
		if err := f.Saver.Flush(); err != nil {
			return err
		}
		f.saved, f.waiting = f.Elapsed(), 0
	}
	if f.Show != nil {
		f.Show(f.unsaved)
	}
	if f.Print != nil {
		f.Print(f.lines)
	}
	f.unsaved, f.lines = f.unsaved[:0], f.lines[:0]
	return nil
}

// Idle saves and prints the pending updates before the reader waits for more input. If that fails, reading stops; the
// next flush returns the error.
func (f *Flow) Idle() error {
	if f.flush() != nil {
		return stream.ErrInputContinues
	}
	f.recordActivity()
	return nil
}

// ActivityInterval is the time between two records of activity while an agent keeps writing.
const ActivityInterval = time.Second

// recordActivity records that the agent is active. While a tool call runs, its result may take long.
func (f *Flow) recordActivity() {
	if f.Saver == nil {
		return
	}
	turn, call := f.Reader.Working()
	kind := continuation.AssistantMessage
	if call {
		kind = continuation.ToolStart
	}
	if f.Reader.AsksUser() {
		kind = continuation.NeedsUser
	}
	if turn && (kind != f.last || f.Elapsed()-f.signed >= ActivityInterval) {
		f.Saver.RecordActivity(kind)
		f.last, f.signed = kind, f.Elapsed()
	}
}
