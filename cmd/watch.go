package cmd

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"onward/internal/board"
	"onward/internal/calls/schedule"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/process"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/todo"
)

type watchCmd struct {
	liveFlags `embed:""`

	All    bool    `help:"Show every session of the store; those that need you come first."`
	Notify *string `placeholder:"CMD" help:"Run a shell command each time a session starts to need you, or its run ends."`
	Bell   bool    `help:"Ring the terminal's bell each time."`
}

func (c *watchCmd) all() bool { return c.All }

// Run shows the current session's list, or all sessions, and what changes, until it is interrupted.
func (c *watchCmd) Run(a *app, t find.List) error {
	p, err := c.painter(a, a.rawOut)
	if err != nil {
		return err
	}
	if a.mustExist() && !c.All {
		if err := t.CheckWatchable(); err != nil {
			return err
		}
	}
	// The keys make many changes in one run of the command, and none is a retry of another.
	a.Op = new("")
	w := &board.Watch{
		List: t, All: c.All, Strict: a.mustExist(), Painter: p, Clock: a.Clock, Worked: process.CPUTime,
		Out: a.rawOut, JSON: a.JSON, Note: a.printNote, Fail: func(err error) { a.fail(err) },
		Hint:  func(err error) string { return hintOf(failures(), err) },
		Event: func(row *live.Row, doc *session.Document) []byte { return listEvent(row.Name, doc, c.Name) },
		Apply: func(t find.List, e continuation.Event) error { _, err := a.apply(t, e); return err },
		Approvals: func(t find.List) (board.Approvals, string, error) {
			q := &approvals{asking{a: a, s: t}}
			note, err := q.begin()
			return q, note, err
		},
	}
	closing := openWatch(a, w)
	defer closing()
	w.News = board.NewNotifier(c.Notify, c.bell(a, w))
	defer func() { w.News.Close(board.FinalNotifyTimeout) }()
	if err := w.Run(); !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return nil // the reader of the events has closed the pipe
}

// openWatch takes over the terminal, if it can draw, and listens for the signals that end the watching.
func openWatch(a *app, w *board.Watch) (closing func()) {
	interrupted := make(chan os.Signal, 1)
	w.Interrupted = interrupted
	signal.Notify(interrupted, os.Interrupt)
	// The write reports that its reader is gone. A signal that is ignored would be so in the command of --notify too.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if a.JSON || !isTerminal(a.rawOut) {
		w.Gone = process.ReaderGone(a.rawOut)
	} else if file, ok := canvas(a.rawOut); ok {
		w.Screen = screen.Open(file, true)
		if in, ok := a.in.(*os.File); ok && isTerminal(in) {
			w.Keys = w.Screen.Keys(in)
		}
	}
	return func() {
		signal.Stop(interrupted)
		if w.Screen != nil {
			w.Screen.Close()
		}
	}
}

// bell returns what rings the bell of the user's terminal; nil if the user does not want it.
func (c *watchCmd) bell(a *app, w *board.Watch) func() {
	if !c.Bell {
		return nil
	}
	return func() {
		switch {
		case w.Screen != nil:
			w.Screen.Bell()
		case isTerminal(a.err):
			io.WriteString(a.err, "\a")
		case isTerminal(a.rawOut):
			io.WriteString(a.rawOut, "\a")
		}
	}
}

// approvals lets the keys of a board answer the questions about calls.
type approvals struct{ asking }

// begin finds out by which rules the calls are approved.
func (q *approvals) begin() (note string, err error) {
	return q.noted(func() error {
		if err := find.RequirePerson("approve a call", "`onward schedule list` shows what waits for the user"); err != nil {
			return err
		}
		var err error
		q.judge, err = q.a.newJudge(nil, false)
		return err
	})
}

// noted runs a function, and returns its notes for the user.
func (q *approvals) noted(do func() error) (note string, err error) {
	var notes strings.Builder
	errs := q.a.err
	q.a.err = &notes
	err = do()
	q.a.err = errs
	return strings.TrimSpace(strings.TrimPrefix(notes.String(), "onward: ")), err
}

func (q *approvals) Next() (*schedule.Call, error) { return q.next() }

func (q *approvals) Respond(id string, answer rune, now todo.Time) (note string, err error) {
	q.s.Now = now
	return q.noted(func() error { return q.respond(id, answer) })
}

func (q *approvals) Postpone(id string) { q.later = append(q.later, id) }
