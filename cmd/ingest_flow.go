package cmd

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"onward/internal/agents/stream"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/todo"
)

const (
	// commitEvery is how long updates are collected before they are saved together, while more input is available.
	commitEvery = 100 * time.Millisecond

	// maxUnsaved is how much input may wait to be saved, in bytes, so that memory stays bounded.
	maxUnsaved = 1 << 18

	// batch is how many bytes of events are printed at once while more input is available.
	batch = 32 << 10
)

// flow passes the updates of a stream to the store, the screen and standard output.
// If input comes as slowly as an agent writes it, each update is saved before waiting for the next line.
// If input arrives faster than it can be saved, updates are saved together.
// Nothing is shown or printed before it is saved.
type flow struct {
	a      *app
	reader *stream.Reader
	saver  *ask.Saver // nil if nothing is saved
	out    *cli.Printer
	shown  *liveList
	emit   bool
	saw    func([]stream.Update) // is called with the updates that were read; may be nil

	unsaved []stream.Update // updates for the screen
	lines   []byte          // events for standard output
	saved   time.Time       // the time of the last commit
	upTo    int64           // the bytes of input that were read by then

	last   continuation.Type // the last activity that was recorded
	signed time.Time         // when it was
}

// run reads the stream to its end.
func (f *flow) run(name string, now todo.Time) error {
	seed := now.String()
	for {
		updates, err := f.reader.Next()
		for _, w := range f.reader.Warnings() {
			f.a.printNote(w)
		}
		if f.saw != nil {
			f.saw(updates)
		}
		if f.saver != nil && len(updates) > 0 {
			updates = ask.Kept(updates)
			if err := f.saver.Add(updates); err != nil {
				return err
			}
		}
		if f.shown != nil {
			f.unsaved = append(f.unsaved, updates...)
		}
		if f.emit {
			for _, u := range updates {
				f.lines = append(u.AppendJSON(f.lines, u.EventID(seed), name, now), '\n')
			}
		}
		if err != nil || f.due(updates) {
			if err := f.flush(); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, stream.ErrUnfinished):
			return err
		case errors.Is(err, io.EOF):
			if f.saver == nil {
				return nil
			}
			if err := f.saver.Unread(f.reader.Summary()); err != nil {
				return err
			}
			return f.saver.End()
		case err != nil:
			return cli.Failf(cli.ExitIO, "read the stream: %v", err)
		}
	}
}

// due reports whether pending updates are to be saved and printed although more input is available.
func (f *flow) due(updates []stream.Update) bool {
	if f.saver == nil {
		return f.shown != nil || len(f.lines) >= batch
	}
	ended := func(u stream.Update) bool { return u.SubAgent == "" && u.Event.Type == continuation.TurnEnd }
	return slices.ContainsFunc(updates, ended) ||
		f.reader.Summary().Bytes-f.upTo >= maxUnsaved || time.Since(f.saved) >= commitEvery
}

// flush saves, shows and prints the pending updates.
func (f *flow) flush() error {
	if f.saver != nil {
		var err error
		if f.saver.Now, err = f.a.Clock(); err != nil {
			return err
		}
		if err := f.saver.Flush(); err != nil {
			return err
		}
		f.saved, f.upTo = time.Now(), f.reader.Summary().Bytes
	}
	f.shown.show(f.unsaved)
	f.out.Write(render.JSON(f.lines))
	f.unsaved, f.lines = f.unsaved[:0], f.lines[:0]
	return nil
}

// idle saves and prints the pending updates before the reader waits for more input. If that fails, reading stops; the
// next flush returns the error.
func (f *flow) idle() error {
	if f.flush() != nil {
		return stream.ErrUnfinished
	}
	f.sign()
	return nil
}

// signEvery is how often an agent that writes all the time is noted as alive.
const signEvery = time.Second

// sign records that the agent is active. While a tool call runs, its result may take long.
func (f *flow) sign() {
	if f.saver == nil {
		return
	}
	turn, call := f.reader.Working()
	kind := continuation.AssistantMessage
	if call {
		kind = continuation.ToolStart
	}
	if f.reader.Asks() {
		kind = continuation.NeedsUser
	}
	if turn && (kind != f.last || time.Since(f.signed) >= signEvery) {
		f.saver.Sign(kind)
		f.last, f.signed = kind, time.Now()
	}
}

// onSignal ends the input at a signal of the user or the system; the updates that were read by then are saved and printed.
// The first interrupt of a pipe goes to the agent as well, whose last lines are still read; a file that is followed is
// left at once. It returns a function that undoes it.
func (f *flow) onSignal(leave chan<- struct{}, follows bool) (stop func()) {
	ownSignals()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer func() { _ = recover() }()
		if s := <-signals; s == os.Interrupt && !follows {
			f.reader.Interrupt()
			<-signals
		}
		// A third signal ends the program immediately; the store is consistent at any time.
		signal.Stop(signals)
		f.out.Abandon()
		close(leave)
	}()
	return func() { signal.Stop(signals) }
}
