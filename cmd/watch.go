package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"onward/internal/agent"
	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/notify"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
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
	gone := readerGone(a.rawOut)
	changes := t.changes()
	if changes.Slow != nil {
		a.note(fmt.Sprintf("looking for changes once a second: %v", changes.Slow))
	}
	out, done := c.viewer(a, p)
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
func (t target) changes() *notify.Watcher {
	if t.named {
		return notify.Watch(t.store.Path(t.name))
	}
	return notify.Watch(t.store.Path(t.name), t.store.ChoicePath(t.project))
}

// viewer shows a session as it is now. What cannot be read is an error in its place.
type viewer interface {
	show(name session.Name, doc *session.Document) error
	problem(err error)
}

// viewer gives a screen where there is one, else a printer of events, and what ends it.
func (c *watchCmd) viewer(a *app, p picture) (viewer, func()) {
	file, ok := canvas(a.rawOut)
	if !ok || a.JSON {
		return &eventViewer{out: a.rawOut, member: c.Name, report: func(err error) { a.fail(err) }}, func() {}
	}
	s := screen.Open(file, true)
	return &screenViewer{screen: s, picture: p, view: live.View{Settle: c.Settle}}, s.Close
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

// screenViewer draws the list on a terminal.
type screenViewer struct {
	screen  *screen.Screen
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
		v.screen.Show(v.picture.words(render.NotShown(doc)))
		return nil
	}
	v.screen.Show(v.picture.frame(v.picture.flags.name(from, writer(name, doc)), items))
	return nil
}

// problem leaves the list as it was last, and says below it what is wrong.
func (v *screenViewer) problem(err error) {
	_, items := v.view.Shown()
	list := v.picture.frame(v.picture.flags.name(live.Agent{SubAgent: v.name.Agent}, writer(v.name, v.doc)), items)
	words := v.picture.words(err.Error())
	v.screen.Show(func(width, height int) []string {
		if height < 2 {
			return words(width, height)
		}
		return append(list(width, height-1), words(width, 1)...)
	})
}

// writer names who a list is from: the agent that owns it, else its session.
func writer(name session.Name, doc *session.Document) string {
	if doc != nil && doc.Owner != nil && doc.Owner.Agent != "" {
		return doc.Owner.Agent
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

// listEvent gives the list as a unified event, one line.
func listEvent(name session.Name, doc *session.Document, member string) []byte {
	u := agent.Update{
		Kind: agent.Onward, Session: name.Session, SubAgent: name.Agent, TodoID: name.String(),
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
