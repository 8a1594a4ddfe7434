// Package board shows lists while they change: one list, all sessions of a store with keys that act on them, or what a run is doing. The
// caller passes in the screen, the clock, the store and what the keys do.
package board

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"onward/internal/calls/schedule"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

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

func (w *Watch) key(k screen.Key) (over bool) { return k == 'q' || k == 'Q' }
func (w *Watch) showMessage(text string)      { w.Note(text) }
func (w *Watch) finish()                      {}

// Watch shows a list, or all sessions, until it is interrupted. It is woken by changes of the store, by keys and by the passing of time.
type Watch struct {
	List    find.List
	All     bool // it watches all sessions, not only that of List
	Strict  bool // --session names the session, and may be misspelt
	Painter Painter
	Clock   func() (todo.Time, error)
	Worked  func() time.Duration // the processor time that this process has used

	Screen      *screen.Screen // nil if nothing is drawn in place
	Keys        <-chan screen.Key
	Interrupted <-chan os.Signal
	Gone        <-chan struct{} // the reader of standard output is gone
	Out         io.Writer       // what is not drawn in place
	Note        func(text string)
	Fail        func(error)
	Hint        func(error) string // what the user can do about an error; may be empty

	JSON  bool                                      // standard output is JSON lines
	Event func(*live.Row, *session.Document) []byte // a list as a line of JSON

	News  *Notifier
	Apply func(find.List, continuation.Event) error // changes a list for its user

	// Approvals asks about the calls of a list that await approval. The text is for the user.
	Approvals func(find.List) (Approvals, string, error)

	view   view
	pause  time.Duration // the least time between two looks
	slow   bool          // the user was told that the files are only checked once a second
	silent string        // the message about a store that does not answer; empty if it answers
	since  time.Time     // when the store stopped answering
	watch  *store.Watch  // nil until it starts: after the first look, or before it where what is watched is read from memory
}

// Approvals offers the calls that await approval, one at a time, and records the answers.
type Approvals interface {
	Next() (*schedule.Call, error)                                          // nil if there is none
	Respond(id string, answer rune, now todo.Time) (note string, err error) // y is yes, a is always, n is no
	Postpone(id string)                                                     // leaves a call undecided
}

// glance is the interval of looking for changes that time alone makes.
const glance = time.Second

// Run shows the list or the sessions until a key or a signal ends it, or until the reader of standard output is gone.
func (w *Watch) Run() error {
	if w.All {
		w.view, w.pause = newOverview(w), overviewPause
	} else {
		w.view = newListView(w)
	}
	defer w.unwatch()
	defer w.view.finish()
	return w.run()
}

// run refreshes the view and waits for changes, until a key or a signal ends it.
func (w *Watch) run() error {
	for {
		began := w.Worked()
		var err error
		if w.List.Now, err = w.Clock(); err != nil {
			return err
		}
		w.follow()
		if w.watch == nil && w.isRemote() {
			w.begin()
		}
		if err := w.view.refresh(); errors.Is(err, errOver) {
			return nil
		} else if err != nil {
			return err
		}
		if over, err := w.waitForRefresh(w.Worked() - began); over || err != nil {
			return err
		}
	}
}

// follow switches to the session that is now chosen for the project, unless the user named one.
func (w *Watch) follow() {
	if w.List.Named {
		return
	}
	if chosen, err := w.List.Store.ChosenSession(w.List.Project); err == nil && chosen != w.List.Name.Session {
		w.List.Name.Session = chosen
		w.unwatch()
	}
}

// begin starts to watch the documents that are shown.
func (w *Watch) begin() {
	name, keys := w.List.Name, w.List.Keys()
	if w.All {
		name = session.Name{}
		keys = []store.Key{session.Key(name), find.CallsKey(name)}
	}
	if w.isRemote() { // what else is read at each look
		keys = append(keys, session.RunKey(name), session.SettingsKey(""))
	}
	if w.All || !w.List.Named {
		keys = append(keys, w.List.Project.ChoiceKey())
	}
	watch := w.List.Storage.Watch(keys...)
	if w.watch = &watch; watch.Reader != nil {
		w.List = w.List.WithBackend(watch.Reader)
	}
	if watch.Slow != nil && w.Screen == nil && !w.slow {
		w.slow = true
		w.Note(fmt.Sprintf("looking for changes once a second: %v", watch.Slow))
	}
}

// isRemote reports whether looking at the store costs requests. Then what is watched is read from memory, from the first look on.
func (w *Watch) isRemote() bool {
	_, remote := w.List.Storage.Backend.(store.Remote)
	return remote
}

// unwatch ends the watch; the next rest starts another one.
func (w *Watch) unwatch() {
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

// waitForRefresh waits until the view must be refreshed: after a change, or because time has passed.
func (w *Watch) waitForRefresh(took time.Duration) (over bool, err error) {
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
		case <-w.Interrupted:
			return true, cli.ExitCode(cli.ExitInterrupted)
		case <-w.Gone:
			return true, nil
		case problem := <-w.News.Problems:
			w.view.showMessage(problem)
		case key := <-w.Keys:
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
