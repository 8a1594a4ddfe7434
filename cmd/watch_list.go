package cmd

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"onward/internal/overview"

	"onward/internal/output"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
)

// listView shows one session's list. Unless it was named, that is the session which is chosen for the project.
type listView struct {
	*watching
	show    func(row *live.Row, doc *session.Document) error
	problem func(error)  // shows why the session cannot be read
	wrong   string       // the error with the document that was shown last
	last    screen.Frame // without the line of keys; nil where nothing is drawn in place
}

// newListView returns a view on the screen if there is one, else a printer of events or of frames.
func newListView(w *watching, c *watchCmd, p painter) *listView {
	v := &listView{watching: w}
	if w.events {
		printer := &eventPrinter{out: w.a.rawOut, member: c.Name}
		v.show, v.problem = printer.show, func(err error) { w.a.fail(err) }
		return v
	}
	draw := (&frames{out: w.a.rawOut, width: p.style.Width}).show
	if w.screen != nil {
		keys := "Ctrl-C quits"
		if w.keys != nil {
			keys = "q quit"
		}
		draw = func(frame screen.Frame) error {
			v.last = frame
			w.screen.Show(withFoot(frame, p.words(keys)))
			return nil
		}
	}
	list := &sessionList{painter: p, view: live.View{Settle: c.Settle}, strict: w.a.strict()}
	v.show = func(row *live.Row, doc *session.Document) error { return draw(list.frame(row, doc)) }
	v.problem = func(err error) { _ = draw(list.problem(err)) }
	return v
}

func (v *listView) refresh() error {
	var row *live.Row
	var doc *session.Document
	err := v.look(func() error {
		row, doc = overview.Read(v.t, session.Saved{Name: v.t.Name, Current: true}, find.ReadConfig())
		if row == nil {
			row = &live.Row{Saved: session.Saved{Name: v.t.Name}}
		}
		return row.Err
	})
	if ends(err) {
		return err
	}
	if err != nil {
		if err = v.cause(err); v.wrong != err.Error() {
			v.wrong = err.Error()
			v.problem(err)
		}
		return nil
	}
	v.wrong = ""
	if err := outputError(v.show(row, doc), false); err != nil {
		return err
	}
	v.news.saw(row)
	v.news.begun()
	return nil
}

// finish leaves the list on the screen, without the line of keys.
func (v *listView) finish() {
	if v.last != nil {
		v.screen.Show(v.last)
	}
}

func (v *listView) showMessage(text string) {
	if v.screen == nil {
		v.watching.showMessage(text)
	} else {
		v.problem(errors.New(text))
	}
}

// frames prints each frame that differs from the one before, as plain text.
type frames struct {
	out   io.Writer
	width int
	last  string
}

// show prints a frame.
func (f *frames) show(frame screen.Frame) error {
	text := strings.Join(frame(f.width, 0), "\n") + "\n"
	if text == f.last {
		return nil
	}
	if f.last != "" {
		text = "\n" + text
	}
	f.last = strings.TrimPrefix(text, "\n")
	_, err := io.WriteString(f.out, text)
	return err
}

// sessionList draws one session's list when it changes.
type sessionList struct {
	painter painter
	view    live.View
	name    session.Name
	doc     *session.Document
	strict  bool // --session names the session, and may be misspelt
}

// frame returns the present frame of a session.
func (v *sessionList) frame(row *live.Row, doc *session.Document) screen.Frame {
	name := row.Name
	if name != v.name {
		v.name, v.doc, v.view = name, nil, live.View{Settle: v.view.Settle}
	}
	from := live.Agent{Session: name.Session, SubAgent: name.Agent}
	for _, e := range live.Between(v.doc, doc) {
		v.view.Apply(from, e)
	}
	v.doc = doc
	if doc == nil && v.strict {
		return v.painter.words(fmt.Sprintf("no session %q yet; its list is shown once it is saved", name))
	}
	if _, items := v.view.Shown(); len(items) == 0 {
		return v.painter.words(withGoal(live.NotShown(doc), doc))
	}
	if text := remark(row, doc); text != "" {
		return above(v.list(), v.painter.words(text))
	}
	return v.list()
}

// list returns the frame of the items.
func (v *sessionList) list() screen.Frame {
	from, items := v.view.Shown()
	return v.painter.frame(from, live.Writer(v.name, v.doc), items)
}

// remark returns the line below a list: the result of the gate, else why its session does not continue, and the goal that
// its agent follows.
func remark(row *live.Row, doc *session.Document) string {
	text := gateRemark(doc)
	if s := row.Standing; text == "" && s.Why != "" {
		text = s.State.Words() + ": " + output.WhyText(s)
	}
	return withGoal(text, doc)
}

// withGoal adds to a line the goal that the agent of a list follows by itself.
func withGoal(text string, doc *session.Document) string {
	goal := doc.ActiveGoal()
	if goal == nil {
		return text
	}
	follows := agents.TitleOf(goal.Agent) + " follows a goal: " + goal.Text
	if text == "" {
		return follows
	}
	return text + "; " + follows
}

// problem returns the frame of the last items unchanged, with the error below them, and what the user can do.
func (v *sessionList) problem(err error) screen.Frame {
	frame := above(v.list(), v.painter.words(err.Error()))
	if hint := hintOf(failures(), err); hint != "" {
		frame = withFoot(frame, v.painter.words("hint: "+hint))
	}
	return frame
}

// above puts a list above a line of text. On a screen of one row, only the text is shown.
func above(list, line screen.Frame) screen.Frame {
	return func(width, height int) []string {
		if height == 1 {
			return line(width, height)
		}
		return append(list(width, max(height-1, 0)), line(width, 1)...)
	}
}

// withFoot puts a line below a frame, such as that of the keys. A low screen has no room for it.
func withFoot(frame, foot screen.Frame) screen.Frame {
	return func(width, height int) []string {
		if 0 < height && height < 5 {
			return frame(width, height)
		}
		return above(frame, foot)(width, height)
	}
}

// eventPrinter prints a todo_list event when the list changes, or the gate has a new result.
type eventPrinter struct {
	out    io.Writer
	member string
	name   session.Name
	doc    *session.Document
}

func (v *eventPrinter) show(row *live.Row, doc *session.Document) error {
	name := row.Name
	changed := live.ListChanged(v.doc, doc) || name != v.name && live.ListChanged(nil, doc) || live.GateRan(v.doc, doc)
	v.name, v.doc = name, doc
	if !changed {
		return nil
	}
	_, err := v.out.Write(listEvent(name, doc, v.member))
	return err
}

// listEvent returns the list as a unified event with the gate's last result, one line.
func listEvent(name session.Name, doc *session.Document, member string) []byte {
	u := stream.Update{
		Whole: true, Kind: stream.Onward, Session: name.Session, SubAgent: name.Agent, TodoID: name.String(),
		Event: continuation.Event{Type: continuation.Todos},
	}
	rev := uint64(0)
	if doc != nil {
		u.Event.Items, u.At, u.Turn, rev = doc.Todos.Current(), doc.Todos.UpdatedAt, doc.Continuation.Turns, doc.Rev
		u.Kind = agents.KindOf(doc.Todos.Source)
		if doc.Owner != nil {
			u.Kind = agents.KindOf(doc.Owner.Agent)
		}
	}
	line := u.AppendJSON(nil, u.EventID(strconv.FormatUint(rev, 10)), member, u.At)
	if doc != nil && doc.Continuation.Gate != nil {
		line = append(append(line[:len(line)-1], `,"gate":`...), gateJSON(doc.Continuation.Gate, 0)...)
		line = append(line, '}')
	}
	return append(render.JSON(line), '\n')
}
