package board

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"onward/internal/overview"

	"onward/internal/output"

	"onward/internal/calls/schedule"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
)

// boardView shows all sessions on a terminal. Its keys run commands on the selected one.
type boardView struct {
	*poller
	board  live.Board
	typing bool         // the user is typing the filter
	opened *sessionList // the list that is shown instead of all sessions; nil if none is
	asking Approvals    // of the calls of the selected session
	call   *schedule.Call
	said   string
}

func (v *boardView) refresh() error {
	was := v.silent
	if _, err := v.poll(); err != nil {
		return err
	}
	if was != "" && v.silent == "" {
		v.said = ""
	}
	v.board.Set(v.rows)
	v.show()
	return nil
}

func (v *boardView) showMessage(text string) {
	v.said = text
	v.show()
}

// The lines of keys below the view.
const (
	boardKeys   = "q quit  ↑↓ select  Enter open  a approve  p stop or resume  / filter"
	listKeys    = "q quit  Esc back  a approve  p stop or resume"
	approveKeys = "y approve  n deny  a always  Enter later  Esc leave"
)

// show draws the present frame.
func (v *boardView) show() {
	bottom := boardKeys
	switch {
	case v.typing:
		bottom = "/" + v.board.FilterText() + "▏  Enter keep  Esc all"
	case v.call != nil:
		bottom = approveKeys
	case v.opened != nil:
		bottom = listKeys
	case v.board.FilterText() != "":
		bottom = "/" + v.board.FilterText() + "  q quit  Esc all  Enter open  a approve  p stop or resume"
	}
	if v.Painter.Style.ASCII {
		bottom = strings.NewReplacer("↑↓", "j/k", "▏", "_").Replace(bottom)
	}
	foot := []string{v.said, bottom}
	if c := v.call; c != nil {
		foot[0] = strings.TrimSpace(fmt.Sprintf("%s  %s  %s  %s", c.ID, c.Tool, output.ArgsAndReason(c), v.said))
	}
	if v.opened != nil {
		v.showOpened(foot)
		return
	}
	f := v.frame()
	if f.foot = foot; len(f.rows) == 0 && v.board.FilterText() != "" && foot[0] == "" {
		foot[0] = "no session matches"
	}
	v.Screen.Show(f.draw)
}

func (v *boardView) frame() boardFrame {
	rows, selected := v.board.FilteredRows()
	return boardFrame{rows: rows, selected: selected, totals: output.OverviewTotals(v.rows), now: v.List.Now.Time(), style: v.Painter.Style, hint: v.Hint}
}

// finish draws the frame that stays on the screen.
func (v *boardView) finish() {
	if v.opened == nil {
		f := v.frame()
		f.selected = -1
		v.Screen.Show(f.draw)
	}
}

// rowDetail describes what the row of a session may have no room for. On a screen that has no room for it either,
// the session's name is shortened as in a table, so that it leaves the line to the rest.
func rowDetail(r *live.Row, style render.Style, hint func(error) string) string {
	if r.Err != nil {
		text := r.Err.Error()
		if hint := hint(r.Err); hint != "" {
			text += "; " + hint
		}
		return render.Text(text)
	}
	name, text := r.Name.String(), ""
	if r.Work != nil {
		text += "  " + r.Work.Queue + ": " + r.Work.Content
	} else if r.Item.Text != "" {
		text += "  " + r.Item.Position + " " + r.Item.Text
	}
	if r.Standing.Why != "" {
		text += "  " + r.Standing.Why
	}
	if r.Goal != nil {
		text += "  goal: " + r.Goal.Text
	}
	text = render.Text(text)
	if style.Cut(name+text, style.Width) != name+text {
		name = style.Cut(name, output.NameColumns(style))
	}
	return name + text
}

// showOpened draws the list that was opened, with the keys below.
func (v *boardView) showOpened(foot []string) {
	var fresh *live.Row
	var doc *session.Document
	row := v.current()
	if row != nil && v.silent == "" {
		fresh, doc = overview.ReadRow(v.List, row.StoredList, find.ReadConfig())
	}
	if fresh == nil && (row == nil || v.silent == "") {
		v.opened = nil // its session is gone
		v.show()
		return
	}
	var list screen.Frame
	switch {
	case fresh == nil: // the store has not answered
		list = v.opened.list()
	case fresh.Err != nil:
		list = v.opened.problem(fresh.Err)
	default:
		list = v.opened.frame(fresh, doc)
	}
	for _, line := range foot {
		if line != "" {
			list = above(list, v.Painter.DimLine(line))
		}
	}
	v.Screen.Show(list)
}

// current returns the session that keys are about: the one that is opened, or else selected; nil if there is none.
func (v *boardView) current() *live.Row {
	if v.opened == nil {
		return v.board.Selected()
	}
	if is := v.snapshots[v.opened.name]; is != nil {
		return &is.Row
	}
	return nil
}

// boardFrame is a frame of the view of all sessions.
type boardFrame struct {
	rows     []live.Row
	selected int
	totals   string
	foot     []string // the message, or nothing for what the selected row is about, and the keys; none in the final frame
	now      time.Time
	style    render.Style
	hint     func(error) string
}

// draw draws the rows around the selected one between the totals and the foot.
func (f boardFrame) draw(width, height int) []string {
	style := f.style.WithWidth(width)
	line := func(color, text string) string { return style.Paint(color, style.Cut(render.Text(text), width)) }
	var lines, foot []string
	if height > 3 {
		lines = append(lines, line("1", f.totals))
	}
	if height > 4 && len(f.foot) > 0 {
		text := render.Text(f.foot[0])
		if text == "" && len(f.rows) > 0 {
			text = rowDetail(&f.rows[f.selected], style, f.hint)
		}
		said := render.Wrap(text, width)
		if most := min(len(said), 2, height/5); len(said) > most {
			said = append(said[:most-1], style.Cut(strings.Join(said[most-1:], " "), width))
		}
		foot = append(foot, said...)
	}
	if height > 2 && len(f.foot) > 0 {
		foot = append(foot, line(render.Dim, f.foot[1]))
	}
	room := height - len(lines) - len(foot)
	from, to, mark := f.window(room)
	if from < to {
		// All rows are laid out, so that columns stay where they are while rows pass by.
		cells, _ := output.OverviewCells(f.rows, f.selected, style, f.now)
		lines = append(lines, style.Lines(cells, f.selected)[from:to]...)
	}
	if mark != "" {
		lines = append(lines, line(render.Dim, style.Symbol("… ", "... ")+mark))
	}
	for len(lines) < height-len(foot) && len(f.foot) > 0 {
		lines = append(lines, "")
	}
	return append(lines, foot...)
}

// window returns which rows fit, and a text about those that do not.
func (f boardFrame) window(room int) (from, to int, mark string) {
	n := len(f.rows)
	if n <= room {
		return 0, n, ""
	}
	if room > 3 {
		room--
	}
	from = max(0, min(f.selected-room/2, n-room))
	if to = from + room; room >= 3 {
		mark = render.LeftOutText(from, n-to)
	}
	return from, to, mark
}

// key carries out the command of a key.
func (v *boardView) key(k screen.Key) (over bool) {
	v.said = ""
	switch {
	case v.typing:
		v.typeFilter(k)
	case v.call != nil:
		v.answerAboutCall(k)
	default:
		over = v.handleKey(k)
	}
	v.show()
	return over
}

// handleKey carries out a key while no question is open.
func (v *boardView) handleKey(k screen.Key) (over bool) {
	const page = 10
	steps := map[screen.Key]int{
		screen.Up: -1, 'k': -1, screen.Down: 1, 'j': 1, screen.PageUp: -page, screen.PageDown: page,
		screen.Home: -len(v.rows), 'g': -len(v.rows), screen.End: len(v.rows), 'G': len(v.rows),
	}
	row := v.current()
	switch by, moves := steps[k]; {
	case k == 'q' || k == 'Q':
		return true
	case moves && v.opened == nil:
		v.board.Move(by)
	case k == screen.Escape || k == screen.Backspace:
		if v.opened == nil {
			v.board.Filter("")
		}
		v.opened = nil
	case k == '/' && v.opened == nil:
		v.typing = true
	case row == nil:
	case k == screen.Enter && v.opened == nil:
		v.opened = &sessionList{painter: v.Painter, hint: v.Hint, name: row.Name, view: live.View{Settle: v.Painter.Settle}}
	case k == 'a':
		v.askAboutCalls(row)
	case k == 'p':
		v.toggle(row)
	}
	return false
}

// typeFilter changes the filter by a key.
func (v *boardView) typeFilter(k screen.Key) {
	text := v.board.FilterText()
	switch {
	case k == screen.Enter:
		v.typing = false
	case k == screen.Escape:
		v.typing, text = false, ""
	case k == screen.Backspace && text != "":
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	case k > 0:
		text += string(rune(k))
	}
	v.board.Filter(text)
}

// toggle stops a session that continues, and resumes a stopped one, as `onward stop` and `onward resume` do.
func (v *boardView) toggle(row *live.Row) {
	event, done, err := row.StopOrResume()
	if err == nil {
		err = v.Apply(v.listOf(row), continuation.Event{Type: event, Source: "cli"})
	}
	if v.said = done; err != nil {
		v.said = err.Error()
	}
}

// listOf returns the target for the list of a row.
func (v *boardView) listOf(row *live.Row) find.List {
	t := v.List
	t.Name, t.Named, t.Conversation = row.Name, true, session.Conversation{}
	return t
}

// askAboutCalls asks about the calls of a session that await approval.
func (v *boardView) askAboutCalls(row *live.Row) {
	var note string
	var err error
	v.asking, note, err = v.Approvals(v.listOf(row))
	if v.report(note, err); v.said == "" {
		v.askAboutNextCall("no call of " + row.Name.String() + " awaits approval")
	}
}

// report shows a note for the user, or the error.
func (v *boardView) report(note string, err error) {
	if v.said = note; err != nil {
		v.said = err.Error()
	}
}

// askAboutNextCall asks about the next call, or says that there is none.
func (v *boardView) askAboutNextCall(none string) {
	call, err := v.asking.Next()
	switch {
	case err != nil:
		v.said = err.Error()
	case call == nil:
		v.said = none
	}
	v.call = call
}

// answerAboutCall applies a key to the call, as `onward schedule approve` and `deny` do.
func (v *boardView) answerAboutCall(k screen.Key) {
	switch k {
	case 'y', 'Y', 'a', 'A', 'n', 'N':
		v.report(v.asking.Respond(v.call.ID, unicode.ToLower(rune(k)), v.List.Now))
		if v.said == "" && unicode.ToLower(rune(k)) != 'n' {
			v.said = v.call.ID + " is approved and waits for `onward schedule run`"
		}
		v.askAboutNextCall(v.said)
	case screen.Enter:
		v.asking.Postpone(v.call.ID)
		v.askAboutNextCall("")
	case screen.Escape, 'q':
		v.call = nil
	}
}
