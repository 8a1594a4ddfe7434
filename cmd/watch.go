package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"onward/internal/agent"
	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/store"
)

type watchCmd struct {
	liveFlags `embed:""`
}

// Run shows the current session's list, and its changes, until it is interrupted.
func (c *watchCmd) Run(a *app) error {
	p, err := c.picture(a, a.rawOut)
	if err != nil {
		return err
	}
	t, err := a.target()
	if err != nil {
		return err
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	// Who reads the events may have enough of them.
	signal.Ignore(syscall.SIGPIPE)
	changes := t.changes()
	if changes.Slow != nil {
		a.note(fmt.Sprintf("looking for changes once a second: %v", changes.Slow))
	}
	out, gone, done := c.viewer(a, p)
	defer done()
	for {
		t.name, err = follow(t, out, changes.Changes, interrupts, gone)
		changes.Close()
		switch {
		case errors.Is(err, syscall.EPIPE):
			return nil
		case err != nil:
			return err
		}
		changes = t.changes()
	}
}

// changes watches the files that say what is to be shown.
func (t target) changes() store.Watch {
	if t.named {
		return t.files.Watch(session.Key(t.name))
	}
	return t.files.Watch(session.Key(t.name), t.project.Choice())
}

// viewer shows a session as it is now. What cannot be read is an error in its place.
type viewer interface {
	show(name session.Name, doc *session.Document) error
	problem(err error)
}

// viewer returns a screen where there is one, else a printer of events or, on a
// terminal that cannot draw, of frames. It also returns when nobody looks any
// more, and what closes the viewer.
func (c *watchCmd) viewer(a *app, p picture) (viewer, <-chan struct{}, func()) {
	if !isTerminal(a.rawOut) || a.JSON {
		return &eventViewer{out: a.rawOut, member: c.Name, report: func(err error) { a.fail(err) }}, readerGone(a.rawOut), func() {}
	}
	v := &screenViewer{picture: p, view: live.View{Settle: c.Settle}}
	file, ok := canvas(a.rawOut)
	if !ok {
		v.screen = &frames{out: a.rawOut, width: p.style.Width}
		return v, nil, func() {}
	}
	s := screen.Open(file, true)
	v.screen = s
	return v, quitKey(s, a.in), s.Close
}

// quitKey returns when the user types q.
func quitKey(s *screen.Screen, in io.Reader) <-chan struct{} {
	file, ok := in.(*os.File)
	if !ok || !isTerminal(file) {
		return nil
	}
	quit, keys := make(chan struct{}), s.Keys(file)
	go func() {
		for key := range keys {
			if key == 'q' || key == 'Q' {
				close(quit)
				return
			}
		}
	}()
	return quit
}

// frames prints each frame that differs from the one before, as plain text.
type frames struct {
	out   io.Writer
	width int
	last  string
}

// Show prints a frame.
func (f *frames) Show(frame screen.Frame) {
	text := strings.Join(frame(f.width, 0), "\n") + "\n"
	if text == f.last {
		return
	}
	if f.last != "" {
		text = "\n" + text
	}
	f.last = strings.TrimPrefix(text, "\n")
	_, _ = io.WriteString(f.out, text)
}

// follow shows a list and its changes, until another session is chosen for the project; then it gives its name.
// What is wrong with a document is shown once, however often it is looked at.
func follow(t target, out viewer, changes <-chan struct{}, interrupts <-chan os.Signal, gone <-chan struct{}) (session.Name, error) {
	for wrong := ""; ; {
		if !t.named {
			chosen, err := t.store.Chosen(t.project)
			if err == nil && chosen != t.name.Session {
				return session.Name{Session: chosen, Agent: t.name.Agent}, nil
			}
		}
		doc, err := t.store.Load(t.name)
		switch {
		case err == nil:
			wrong = ""
			if err := out.show(t.name, doc); err != nil {
				return t.name, &outputError{err: err}
			}
		case wrong != err.Error():
			wrong = err.Error()
			out.problem(err)
		}
		select {
		case <-interrupts:
			return t.name, answer(exitInterrupted)
		case <-gone:
			return t.name, syscall.EPIPE
		case <-changes:
		}
	}
}

// screenViewer shows the list on a terminal.
type screenViewer struct {
	screen  interface{ Show(frame screen.Frame) }
	picture picture
	view    live.View
	name    session.Name
	doc     *session.Document
}

func (v *screenViewer) show(name session.Name, doc *session.Document) error {
	if name != v.name {
		v.name, v.doc, v.view = name, nil, live.View{Settle: v.view.Settle}
	}
	from := live.Agent{Session: name.Session, SubAgent: name.Agent}
	for _, e := range live.Between(v.doc, doc) {
		v.view.Apply(from, e)
	}
	v.doc = doc
	_, items := v.view.Shown()
	if len(items) == 0 {
		v.screen.Show(v.picture.words(notShown(doc)))
		return nil
	}
	list := v.picture.frame(v.picture.flags.name(from, writer(name, doc)), items)
	if gate := gateRemark(doc); gate != "" {
		list = above(list, v.picture.words(gate))
	}
	v.screen.Show(list)
	return nil
}

// problem leaves the list as it was last, and says below it what is wrong.
func (v *screenViewer) problem(err error) {
	_, items := v.view.Shown()
	list := v.picture.frame(v.picture.flags.name(live.Agent{SubAgent: v.name.Agent}, writer(v.name, v.doc)), items)
	v.screen.Show(above(list, v.picture.words(err.Error())))
}

// above puts a list above a line of text, which alone is left of a screen of one row.
func above(list, line screen.Frame) screen.Frame {
	return func(width, height int) []string {
		if height == 1 {
			return line(width, height)
		}
		return append(list(width, max(height-1, 0)), line(width, 1)...)
	}
}

// writer names who a list is from: the agent that owns it, else its session, or
// the project where the session's name was made from its folder.
func writer(name session.Name, doc *session.Document) string {
	if doc != nil && doc.Owner != nil && doc.Owner.Agent != "" {
		return doc.Owner.Agent
	}
	if folder, derived := session.DerivedFrom(name.Session); derived {
		return folder
	}
	return name.Session
}

// eventViewer prints a todo_list event when the list is another one.
type eventViewer struct {
	out    io.Writer
	member string
	report func(error)
	name   session.Name
	doc    *session.Document
}

func (v *eventViewer) show(name session.Name, doc *session.Document) error {
	changed := live.ListChanged(v.doc, doc) || name != v.name && live.ListChanged(nil, doc)
	v.name, v.doc = name, doc
	if !changed {
		return nil
	}
	_, err := v.out.Write(listEvent(name, doc, v.member))
	return err
}

func (v *eventViewer) problem(err error) { v.report(err) }

// listEvent returns the list as a unified event, one line.
func listEvent(name session.Name, doc *session.Document, member string) []byte {
	u := agent.Update{
		Whole: true, Kind: agent.Onward, Session: name.Session, SubAgent: name.Agent, TodoID: name.String(),
		Event: continuation.Event{Type: continuation.Todos},
	}
	rev := uint64(0)
	if doc != nil {
		u.Event.Items, u.At, u.Turn, rev = doc.Todos.Current(), doc.Todos.UpdatedAt, doc.Continuation.Turns, doc.Rev
		u.Kind = agent.KindOf(doc.Todos.Source)
		if doc.Owner != nil {
			u.Kind = agent.KindOf(doc.Owner.Agent)
		}
	}
	line := u.AppendJSON(nil, u.EventID(strconv.FormatUint(rev, 10)), member, u.At)
	return append(render.JSON(line), '\n')
}
