package render

import (
	"fmt"
	"strconv"
	"strings"

	"onward/internal/todo"
)

// List shows some items of a list: number, symbol and text, with their ids if
// that is wanted, then a line with the totals of the whole list. A text may take a few lines.
func List(items []todo.Item, shown []int, ids bool, style Style) string {
	// The column of the numbers is as wide as the longest of them.
	widest := 0
	for i := range items {
		widest = max(widest, len(strconv.Itoa(i+1)))
		if n := len(items[i].Subtasks); n > 0 {
			widest = max(widest, len(subtaskNumber(i, n-1)))
		}
	}
	const gap = "  " // between the columns
	var b strings.Builder
	b.Grow(len(shown) * 64)
	line := func(number string, status todo.Status, text, notes, id string) {
		if ids {
			notes = strings.TrimSpace(notes + " id:" + Text(id))
		}
		look, symbol := lookOf(status), style.sign(status)
		at := widest + len(gap) + columns(symbol) + len(gap)
		room := max(style.Width-at, 10)
		for i, part := range style.folded(style.shortenWithNotes(text, notes, room*belowLines), room) {
			if i == 0 {
				b.WriteString(number)
				spaces(&b, widest-len(number))
				b.WriteString(gap)
				b.WriteString(style.Paint(look.sign, symbol))
				b.WriteString(gap)
			} else {
				spaces(&b, at)
			}
			b.WriteString(style.Paint(look.text, part))
			b.WriteByte('\n')
		}
	}
	for _, i := range shown {
		it := &items[i]
		line(strconv.Itoa(i+1), it.Status, Text(it.Content), remarks(items, i), it.ID)
		for j := range it.Subtasks {
			sub := &it.Subtasks[j]
			line(subtaskNumber(i, j), sub.StatusOrPending(), Text(sub.Content), subtaskRemark(sub), sub.ID)
		}
	}
	style.WriteHanging(&b, "", 0, Totals(todo.Count(items)))
	return b.String()
}

// spaces writes a number of spaces.
func spaces(b *strings.Builder, n int) {
	for range n {
		b.WriteByte(' ')
	}
}

func subtaskNumber(i, j int) string { return "  " + todo.Ref{Item: i, Sub: j}.Label() }

// subtaskRemark says in brackets why a subtask is blocked.
func subtaskRemark(sub *todo.Subtask) string {
	if status := sub.StatusOrPending(); status.Waits() && sub.Reason != "" {
		return "(" + status.Words() + ": " + Text(sub.Reason) + ")"
	}
	return ""
}

// remarks lists in brackets what affects when an open item is worked on: its
// priority, whose it is, who holds it, the open items that it comes after, its gate, and why it is blocked; of a cancelled one, why that was done.
func remarks(items []todo.Item, i int) string {
	it := &items[i]
	switch {
	case it.IsLost():
		return "(" + todo.WordsFor(it.Status, it.Reason) + ": " + it.Reason + ")"
	case it.Status == todo.Cancelled && it.Reason != "":
		return "(" + Text(it.Reason) + ")"
	}
	if !it.Status.Open() {
		return ""
	}
	var parts []string
	if it.Priority != "" {
		parts = append(parts, string(it.Priority)+" priority")
	}
	if it.Assignee != "" {
		parts = append(parts, "for "+Text(it.Assignee))
	}
	if c := it.Claim; c != nil {
		parts = append(parts, Text(c.By)+" "+c.SinceText())
	}
	if refs := todo.WaitsFor(items, i); len(refs) > 0 {
		parts = append(parts, "after "+labels(refs))
	}
	if g := it.Gate; g != nil {
		parts = append(parts, gateRemark(g))
	}
	if it.NeedsProof {
		parts = append(parts, "proof required")
	}
	if it.Status.Waits() && it.Reason != "" {
		parts = append(parts, it.Status.Words()+": "+Text(it.Reason))
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// gateRemark says in a few words what the gate of an open item resulted in.
func gateRemark(g *todo.Gate) string {
	switch {
	case g.Problem != "":
		return "gate broken"
	case g.At != 0:
		return "gate failed"
	case g.ClaimedDone:
		return "gate has not run"
	}
	return "gate"
}

// EarlyText names the items that a change completed before items that they come after.
func EarlyText(e todo.Edit) []string {
	touched := make(map[string]bool, len(e.Touched))
	for i := range e.Touched {
		touched[e.Touched[i].Position] = true
	}
	var out []string
	for _, at := range todo.Places(e.Items) {
		if at.Sub >= 0 || e.Items[at.Item].Status != todo.Completed || !touched[at.Label()] {
			continue
		}
		if open := todo.WaitsFor(e.Items, at.Item); len(open) > 0 {
			out = append(out, fmt.Sprintf("item %s is completed, but comes after %s, still open", at.Label(), labels(open)))
		}
	}
	return out
}

// labels joins places: `1, 3`.
func labels(refs []todo.Ref) string {
	return strings.Join(Map(refs, func(_ int, r *todo.Ref) string { return r.Label() }), ", ")
}

// shortenWithNotes fits a text and its remarks into a number of columns. The remarks are
// shown whole as long as they leave the text half of the room, or all it needs.
// In little room the text goes first.
func (s Style) shortenWithNotes(text, notes string, room int) string {
	if notes == "" {
		return s.Cut(text, room)
	}
	if room >= leastText {
		text = s.Cut(text, max(room-columns(notes)-1, min(columns(text), room/2)))
	}
	return s.Cut(text+" "+notes, room)
}

// Totals is the line under a list: `5 items: 2 open (1 in progress, 1 pending), 3 completed`.
func Totals(c todo.Counts) string {
	parts := []string{"none open"}
	if c.Open > 0 {
		parts[0] = fmt.Sprintf("%d open", c.Open)
		if open := c.Words(true); len(open) > 1 || c.Of(todo.Pending) != c.Open {
			parts[0] += " (" + strings.Join(open, ", ") + ")"
		}
	}
	return todo.Plural(c.Total, "item") + ": " + strings.Join(append(parts, c.Words(false)...), ", ")
}

// PlainList shows a list one item a line, separated by tabs: position, status, text.
// It is for scripts that have no JSON reader.
func PlainList(items []todo.Item, shown []int) string {
	var b strings.Builder
	for _, i := range shown {
		it := &items[i]
		fmt.Fprintf(&b, "%d\t%s\t%s\n", i+1, it.Status, Text(it.Content))
		for j := range it.Subtasks {
			sub := &it.Subtasks[j]
			fmt.Fprintf(&b, "%d.%d\t%s\t%s\n", i+1, j+1, sub.StatusOrPending(), Text(sub.Content))
		}
	}
	return b.String()
}
