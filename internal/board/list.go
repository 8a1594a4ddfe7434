package board

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"onward/internal/cli"
	"onward/internal/overview"

	"onward/internal/output"

	"onward/internal/agents"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/screen"
	"onward/internal/session"
)

// listView shows one session's list. Unless it was named, that is the session which is chosen for the project.
type listView struct {
	*Watch
	show    func(row *live.Row, doc *session.Document) error
	problem func(error)  // shows why the session cannot be read
	wrong   string       // the error with the document that was shown last
	last    screen.Frame // without the line of keys; nil if nothing is drawn in place
}

// newListView returns a view on the screen if there is one, else a printer of events or of frames.
func newListView(w *Watch) *listView {
	v := &listView{Watch: w}
	p := w.Painter
	p.Positions = true
	if w.JSON {
		printer := &eventPrinter{out: w.Out, event: w.Event}
		v.show, v.problem = printer.show, w.Fail
		return v
	}
	draw := (&frames{out: w.Out, width: p.Style.Width}).show
	if w.Screen != nil {
		keys := "Ctrl-C quits"
		if w.Keys != nil {
			keys = "q quit"
		}
		draw = func(frame screen.Frame) error {
			v.last = frame
			w.Screen.Show(withFoot(frame, p.DimLine(keys)))
			return nil
		}
	}
	list := &sessionList{painter: p, hint: w.Hint, view: live.View{Settle: p.Settle}, strict: w.Strict}
	v.show = func(row *live.Row, doc *session.Document) error {
		frame := list.frame(row, doc)
		if last, err := w.List.Store.ReadRun(row.Name); err == nil && last != nil && !last.HasEnded() && !w.List.Store.WasCutOff(last) {
			frame = p.talk(last.Said, last.Call, frame)
		}
		return draw(frame)
	}
	v.problem = func(err error) { _ = draw(list.problem(err)) }
	return v
}

func (v *listView) refresh() error {
	var row *live.Row
	var doc *session.Document
	err := v.readStoreInterruptibly(func() error {
		row, doc = overview.ReadRow(v.List, session.StoredList{Name: v.List.Name, Current: true}, find.ReadConfig())
		if row == nil {
			row = &live.Row{StoredList: session.StoredList{Name: v.List.Name}}
		}
		return row.Err
	})
	if endsWatching(err) {
		return err
	}
	if err != nil {
		if err = v.withSilenceSince(err); v.wrong != err.Error() {
			v.wrong = err.Error()
			v.problem(err)
		}
		return nil
	}
	v.wrong = ""
	if err := cli.OutputError(v.show(row, doc), false); err != nil {
		return err
	}
	v.News.recordState(row)
	v.News.endFirstLook()
	return nil
}

// finish leaves the list on the screen, without the line of keys.
func (v *listView) finish() {
	if v.last != nil {
		v.Screen.Show(v.last)
	}
}

func (v *listView) showMessage(text string) {
	if v.Screen == nil {
		v.Watch.showMessage(text)
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
	painter Painter
	hint    func(error) string // what the user can do about an error
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
	for _, e := range live.EventsBetween(v.doc, doc) {
		v.view.Apply(from, e)
	}
	v.doc = doc
	if doc == nil && v.strict {
		return v.painter.DimLine(fmt.Sprintf("no session %q yet; its list is shown once it is saved", name))
	}
	if _, items := v.view.Shown(); len(items) == 0 {
		words := v.painter.DimLine(withGoal(live.WhyNoList(doc), doc))
		if items = doc.Current(); len(items) == 0 {
			return words
		}
		return below(words, v.painter.Frame(from, live.ListWriter(name, doc), items)) // a list never goes for a sentence about it
	}
	if text := v.remark(row, doc); text != "" {
		return above(v.list(), v.painter.DimLine(text))
	}
	return v.list()
}

// list returns the frame of the items.
func (v *sessionList) list() screen.Frame {
	from, items := v.view.Shown()
	return v.painter.Frame(from, live.ListWriter(v.name, v.doc), items)
}

// remark returns the line below a list: the result of the gate, else why its session does not continue, and the goal that
// its agent follows.
func (v *sessionList) remark(row *live.Row, doc *session.Document) string {
	text := v.painter.Gate(doc)
	if s := row.Standing; text == "" && s.Why != "" {
		text = s.State.Words() + ": " + output.WhyText(s)
	}
	return withGoal(text, doc)
}

// withGoal adds to a line the goal that the agent of a list follows on its own.
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
	frame := above(v.list(), v.painter.DimLine(err.Error()))
	if hint := v.hint(err); hint != "" {
		frame = withFoot(frame, v.painter.DimLine("hint: "+hint))
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

// below puts a list below a line of text. On a screen of one row, only the text is shown.
func below(line, list screen.Frame) screen.Frame {
	return func(width, height int) []string {
		if height == 1 {
			return line(width, height)
		}
		return append(line(width, 1), list(width, max(height-1, 0))...)
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

// eventPrinter prints an event when the list changes, or the gate has a new result.
type eventPrinter struct {
	out   io.Writer
	event func(*live.Row, *session.Document) []byte
	name  session.Name
	doc   *session.Document
}

func (v *eventPrinter) show(row *live.Row, doc *session.Document) error {
	name := row.Name
	changed := live.ListChanged(v.doc, doc) || name != v.name && live.ListChanged(nil, doc) || live.GateRan(v.doc, doc)
	v.name, v.doc = name, doc
	if !changed {
		return nil
	}
	_, err := v.out.Write(v.event(row, doc))
	return err
}
