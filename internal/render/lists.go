package render

import (
	"fmt"
	"strings"
	"time"

	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// Widths of the columns of Lists.
const (
	idColumn    = 28 // a longer id is cut on a terminal; on a narrow one, to a quarter of it
	firstColumn = 24 // with less room for it, the first open item has a line of its own
)

// cutID shortens a session's id to its column.
func (s Style) cutID(id string) string { return s.cut(id, min(idColumn, max(s.Width/4, 12))) }

// Lists shows saved lists: number, session, age, counts by status, first open item.
// The current list is marked with an asterisk.
func Lists(lists []session.Listed, style Style, now time.Time) string {
	if len(lists) == 0 {
		return "no saved lists\n"
	}
	rows := make([][]string, len(lists))
	firsts := make([]string, len(lists))
	for i, l := range lists {
		mark := " "
		if l.Current {
			mark = "*"
		}
		name := l.Name.Session
		if sub := l.Name.Agent; sub != "" && sub != session.Primary {
			name = "  +" + sub
		}
		rows[i] = []string{mark + fmt.Sprint(l.Number), style.cutID(name), "", ""}
		if l.Err != nil {
			rows[i][2], rows[i][3] = age(todo.TimeOf(l.Changed), now), "cannot be read"
			continue
		}
		rows[i][2], rows[i][3] = age(l.Doc.UpdatedAt, now), listCounts(l.Doc)
		if next := firstOpen(l.Doc); next != nil {
			firsts[i] = Text(next.Content)
		}
	}
	return layOut(rows, firsts, style)
}

// layOut puts the first open items into a last column, or where the screen is narrow, each on a line of its own.
func layOut(rows [][]string, firsts []string, style Style) string {
	lines := strings.Split(strings.TrimSuffix(table(nil, rows), "\n"), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, columns(l))
	}
	var b strings.Builder
	for i, l := range lines {
		room := style.Width - width - 2
		switch {
		case firsts[i] == "":
			b.WriteString(style.cut(l, style.Width) + "\n")
		case style.Width == 0 || room >= firstColumn:
			b.WriteString(l + strings.Repeat(" ", width-columns(l)) + "  " + style.cut(firsts[i], room) + "\n")
		default:
			b.WriteString(style.cut(l, style.Width) + "\n      " + style.paint(dim, style.cut(firsts[i], style.Width-6)) + "\n")
		}
	}
	return b.String()
}

// listCounts says how many items of a list stand where, in words.
func listCounts(doc *session.Document) string {
	c := todo.Count(doc.Todos.Items)
	var parts []string
	for _, s := range todo.Statuses {
		if n := c.Of(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(s), "_", " ")))
		}
	}
	switch {
	case c.Total == 0:
		return "empty"
	case !doc.Todos.Active:
		return "cleared: " + strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ")
}

// firstOpen gives the item that a list would go on with, or nil.
func firstOpen(doc *session.Document) *todo.Item {
	items := doc.Todos.Items
	for i := range items {
		if items[i].Status.Open() {
			return &items[i]
		}
	}
	return nil
}

// ListsJSON is onward/lists/v1: saved lists, and how many more there are.
func ListsJSON(lists []session.Listed, more int) []byte {
	w := object.NewWriter(512*len(lists) + 128)
	w.Open('{')
	w.String("schema", "onward/lists/v1")
	w.Name("lists")
	w.Open('[')
	for _, l := range lists {
		w.Open('{')
		w.Int("number", l.Number)
		w.String("session", l.Name.Session)
		w.String("agent", agentOf(l.Name))
		w.Bool("current", l.Current)
		if l.Err != nil {
			w.String("error", l.Err.Error())
			w.Close('}')
			continue
		}
		w.Bool("active", l.Doc.Todos.Active)
		w.Millis("updated_at", int64(l.Doc.UpdatedAt))
		w.Name("counts")
		todo.WriteCounts(w, todo.Count(l.Doc.Todos.Items))
		if next := firstOpen(l.Doc); next != nil {
			w.String("first", next.Content)
		}
		w.Close('}')
	}
	w.Close(']')
	w.Int("more", more)
	w.Close('}')
	return finish(w)
}

func agentOf(name session.Name) string {
	if name.Agent == "" {
		return session.Primary
	}
	return name.Agent
}
