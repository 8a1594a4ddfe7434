package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/store"
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
	// The keys make many changes in one run of the command, none of which is a retry of another.
	a.Op = new("")
	w := &watching{a: a, t: t, all: c.All}
	closing := w.open()
	defer closing()
	w.news = w.newNews(c.Notify, c.Bell)
	defer func() { w.news.close(lastNews) }()
	if c.All {
		w.view, w.pause = newOverview(w, p), overviewPause
	} else {
		w.view = newListView(w, c, p)
	}
	defer w.view.finish()
	if err := w.run(); !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return nil // the reader of the events has closed the pipe
}

// view is what `watch` shows. A view embeds the loop, which has a default for each method but refresh.
type view interface {
	// refresh reads the changes and shows them.
	refresh() error
	// key carries out the command of a key. It reports whether that ends the watching.
	key(screen.Key) (over bool)
	// showMessage shows a message.
	showMessage(text string)
	// finish draws the frame that stays on the screen.
	finish()
}

func (w *watching) key(k screen.Key) (over bool) { return k == 'q' || k == 'Q' }
func (w *watching) showMessage(text string)      { w.a.printNote(text) }
func (w *watching) finish()                      {}

// watching is the loop of each view. It is woken by changes of the store, by keys and by the passing of time.
type watching struct {
	a      *app
	t      find.List
	all    bool // it watches all sessions, not only that of t
	view   view
	events bool           // standard output is JSON lines
	screen *screen.Screen // nil where nothing is drawn in place
	news   *news
	pause  time.Duration // the least time between two looks
	slow   bool          // the user was told that the files are only checked once a second
	silent string        // the message about a store that does not answer; empty if it answers
	since  time.Time     // when the store stopped answering

	watch       *store.Watch // nil until it starts, after the first look
	keys        <-chan screen.Key
	interrupted chan os.Signal
	gone        <-chan struct{} // the reader of the events is gone
}

// glance is the interval of looking for changes that time alone makes.
const glance = time.Second

// open takes over the terminal, if it can draw, and listens for the signals that end the watching.
func (w *watching) open() (closing func()) {
	w.interrupted = make(chan os.Signal, 1)
	signal.Notify(w.interrupted, os.Interrupt)
	// The write reports that its reader is gone. A signal that is ignored would be so in the command of --notify too.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	w.events = w.a.JSON
	if w.events || !isTerminal(w.a.rawOut) {
		w.gone = readerGone(w.a.rawOut)
	} else if file, ok := canvas(w.a.rawOut); ok {
		w.screen = screen.Open(file, true)
		if in, ok := w.a.in.(*os.File); ok && isTerminal(in) {
			w.keys = w.screen.Keys(in)
		}
	}
	return func() {
		signal.Stop(w.interrupted)
		w.unwatch()
		if w.screen != nil {
			w.screen.Close()
		}
	}
}

// run refreshes the view and waits for changes, until a key or a signal ends it.
func (w *watching) run() error {
	for {
		began := worked()
		var err error
		if w.t.Now, err = w.a.Clock(); err != nil {
			return err
		}
		w.follow()
		if err := w.view.refresh(); errors.Is(err, errOver) {
			return nil
		} else if err != nil {
			return err
		}
		if over, err := w.rest(worked() - began); over || err != nil {
			return err
		}
	}
}

// follow switches to the session that is now chosen for the project, unless the user named one.
func (w *watching) follow() {
	if w.t.Named {
		return
	}
	if chosen, err := w.t.Store.Chosen(w.t.Project); err == nil && chosen != w.t.Name.Session {
		w.t.Name.Session = chosen
		w.unwatch()
	}
}

// begin starts to watch the documents that are shown.
func (w *watching) begin() {
	keys := w.t.Keys()
	if w.all {
		keys = []store.Key{session.Key(session.Name{}), find.CallsKey(session.Name{})}
	}
	if w.all || !w.t.Named {
		keys = append(keys, w.t.Project.Choice())
	}
	watch := w.t.Storage.Watch(keys...)
	w.watch = &watch
	if watch.Slow != nil && w.screen == nil && !w.slow {
		w.slow = true
		w.a.printNote(fmt.Sprintf("looking for changes once a second: %v", watch.Slow))
	}
}

// unwatch ends the watch; the next rest starts another one.
func (w *watching) unwatch() {
	if w.watch != nil {
		w.watch.Close()
		w.watch = nil
	}
}

// delays returns the delay of the next look after a reported change, and without one. Looking takes a tenth
// of the processor's time at most, but nobody waits for a reported change for more than a second. Only the processor time
// of the last look counts: waiting for a store is not work.
func delays(took, pause time.Duration) (news, anyway time.Duration) {
	return max(pause, min(9*took, glance)), max(glance, 9*took)
}

// rest waits until the view must be refreshed: after a change, or because time has passed.
func (w *watching) rest(took time.Duration) (over bool, err error) {
	news, anyway := delays(took, w.pause)
	next, due := time.Now().Add(news), time.Now().Add(anyway)
	changed := false
	if w.watch == nil {
		w.begin()
		changed = true // another look sees the changes that came before
	}
	for {
		until := due
		if changed {
			until = next
		}
		select {
		case <-w.interrupted:
			return true, cli.ExitCode(cli.ExitInterrupted)
		case <-w.gone:
			return true, nil
		case problem := <-w.news.problems:
			w.view.showMessage(problem)
		case key := <-w.keys:
			if w.view.key(key) {
				return true, nil
			}
		case <-w.watch.Changes:
			changed = true
		case <-time.After(time.Until(until)):
			return false, nil
		}
		if changed && !time.Now().Before(next) {
			return false, nil
		}
	}
}
