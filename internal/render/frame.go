package render

import (
	"cmp"
	"fmt"
	"strconv"

	"onward/internal/todo"
)

// LiveList is a list as a live view shows it.
type LiveList struct {
	Name  string // of its agent or session
	Color Color  // of the name; zero is cyan
	Items []todo.Item

	Positions bool // each line begins with the position by which commands name its item
}

// leastName is the least number of columns in which a long name is useful.
const leastName = 4

// Frame draws a list for a screen of Style.Width columns and height rows, and never exceeds them; zero is no limit.
// A list that is too long is cut around its current item, with the number of lines above and below.
func Frame(p LiveList, style Style, height int) []string {
	line := func(color, text string) string {
		return style.Paint(color, style.Cut(text, style.Width))
	}
	done, cancelled := progress(p.Items)
	before, after := style.Symbol("📋 ", "")+"Plan (", "):"+done
	name := Text(p.Name)
	if style.Width <= 0 || columns(before+name+after+cancelled) <= style.Width {
		after += cancelled
	}
	if room := style.Width - columns(before+after); room >= leastName {
		name = style.Cut(name, room) // a long name leaves the count on the screen
	}
	header := line(bold+";"+string(cmp.Or(p.Color, cyan)), before+name+after)
	lines, current := p.lines(style)
	if height <= 0 || len(lines) < height {
		return append([]string{header}, lines...)
	}
	above, below := visibleWindow(len(lines), current, height)
	visible := lines[above : len(lines)-below]
	if height == 1 {
		return visible
	}
	frame := []string{header}
	mark := func(above, below int) {
		frame = append(frame, line(Dim, style.Symbol("… ", "... ")+LeftOutText(above, below)))
	}
	if height >= roomy && above > 0 {
		mark(above, 0)
	}
	frame = append(frame, visible...)
	switch {
	case height >= roomy && below > 0:
		mark(0, below)
	case 2 < height && height < roomy:
		mark(above, below)
	}
	return frame
}

// progress counts the items that are completed, ` 2/5`, and apart from them those that are cancelled.
func progress(items []todo.Item) (done, cancelled string) {
	c := todo.Count(items)
	n, of := c.Progress()
	if off := c.Of(todo.Cancelled); off > 0 {
		cancelled = fmt.Sprintf(", %d cancelled", off)
	}
	return fmt.Sprintf(" %d/%d", n, of), cancelled
}

// LeftOutText reports how many lines are left out: `12 above, 30 below`.
func LeftOutText(above, below int) string {
	switch {
	case below == 0:
		return fmt.Sprintf("%d above", above)
	case above == 0:
		return fmt.Sprintf("%d below", below)
	}
	return fmt.Sprintf("%d above, %d below", above, below)
}

// roomy is the height from which hidden items above and below are counted on a line each.
const roomy = 6

// visibleWindow reports how many of n lines are left out above and below, so that the rest,
// a header and the marks fill the height. The current line is within, in the middle where it can be.
func visibleWindow(n, current, height int) (above, below int) {
	around := func(room int) (above, below int) {
		above = min(max(current-(room-1)/2, 0), n-room)
		return above, n - room - above
	}
	switch {
	case height <= 2:
		return around(1)
	case height < roomy:
		return around(height - 2)
	}
	// At either end of the list one mark is enough, and its line is the list's.
	room := height - 3
	above, below = around(room)
	if above <= 1 {
		return 0, n - room - 1
	}
	if below <= 1 {
		return n - room - 1, 0
	}
	return above, below
}

// lines draws the items, and returns the line of the current item:
// the first in progress, else the first that is open, else the last.
func (p LiveList) lines(style Style) (lines []string, current int) {
	items, rank, widest := p.Items, -1, len(strconv.Itoa(len(p.Items)))
	number := func(text string, width int) string {
		if !p.Positions {
			return ""
		}
		return fmt.Sprintf("%-*s ", width, text)
	}
	for i := range items {
		it := &items[i]
		if r := it.Status.Urgency(); r > rank {
			rank, current = r, len(lines)
		}
		lines = append(lines, planLine(it.Status, number(strconv.Itoa(i+1), widest), Text(it.Content), remarks(items, i), style))
		for j := range it.Subtasks {
			sub := &it.Subtasks[j]
			lines = append(lines, planLine(sub.StatusOrPending(), "   "+number(todo.Ref{Item: i, Sub: j}.Label(), 0), Text(sub.Content), subtaskRemark(sub), style))
		}
	}
	if rank == 0 {
		current = len(lines) - 1
	}
	return lines, current
}

// planLine draws one item. A reason or a text of many columns is cut, never wrapped.
func planLine(status todo.Status, start, text, notes string, style Style) string {
	head := start + style.sign(status) + " "
	return style.Paint(lookOf(status).line, style.Cut(head+style.shortenWithNotes(text, notes, max(style.Width-columns(head), 1)), style.Width))
}
