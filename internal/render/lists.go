package render

import (
	"fmt"
	"strings"
	"time"

	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// idColumn is how many columns a session's id may take; on a narrow screen, a quarter of it.
const idColumn = 28

// cutID shortens a session's id to its column.
func (s Style) cutID(id string) string { return s.cut(id, min(idColumn, max(s.Width/4, 12))) }

// Lists shows saved lists: number, session, age, counts by status, first open item.
// The current list is marked with an asterisk.
func Lists(lists []session.Listed, style Style, now time.Time) string {
	if len(lists) == 0 {
		return "no saved lists\n"
	}
	rows := make([][]string, len(lists))
	above := ""
	for i, l := range lists {
		mark := " "
		if l.Current {
			mark = "*"
		}
		name := l.Name.String()
		if name != l.Name.Session && above == l.Name.Session {
			name = "  +" + l.Name.Agent // of the session in the row above
		}
		above = l.Name.Session
		rows[i] = []string{mark + fmt.Sprint(l.Number), style.cutID(name), "", "", ""}
		if l.Err != nil {
			rows[i][2], rows[i][3] = age(todo.TimeOf(l.Changed), now), "cannot be read"
			continue
		}
		rows[i][2], rows[i][3] = age(l.Doc.UpdatedAt, now), listCounts(l.Doc)
		if next := firstOpen(l.Doc); next != nil {
			rows[i][4] = Text(next.Content)
		}
	}
	return style.table(rows, 3)
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
