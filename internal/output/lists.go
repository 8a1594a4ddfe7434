package output

import (
	"fmt"
	"time"

	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// NameColumns returns how many columns a session's id may take. On a wide screen, the id of a project with a short
// folder name is shown in full, so that it can be copied; on a narrow one, ids get a quarter of the width.
func NameColumns(style render.Style) int { return min(40, max(style.Width/4, 12)) }

// ListsText shows saved lists: number, session, age, state, counts by status, the
// agent that owns the list, the project's folder, and the title. The current list is
// marked with an asterisk. Agent and project need a wide screen.
func ListsText(lists []live.Row, style render.Style, now time.Time) string {
	if len(lists) == 0 {
		return "no saved lists\n"
	}
	const always, narrow, owned = 3, 5, 7 // the number of first cells
	rows := make([][]string, len(lists))
	above := ""
	for i := range lists {
		l := &lists[i]
		name := l.Name.String()
		if name != l.Name.Session && above == l.Name.Session {
			name = "  +" + l.Name.Agent // of the session in the row above
		}
		above = l.Name.Session
		number := mark(l) + fmt.Sprint(l.Number)
		rows[i] = []string{number, style.Cut(name, NameColumns(style)), render.Age(todo.TimeOf(l.Changed), now), l.Standing.Why, "", "", "", ""}
		if l.Err == nil {
			copy(rows[i][always-1:], []string{
				render.Age(l.UpdatedAt, now), l.Standing.State.Words(), l.Counts.String(),
				render.Text(l.Agent()), render.Text(session.FolderName(l.Project)), render.Text(l.Title),
			})
		}
	}
	if !style.HasRoom(rows, owned) {
		for i := range rows {
			rows[i] = append(rows[i][:narrow], rows[i][owned])
		}
	}
	return style.Table(rows, always)
}

// mark is an asterisk before the current session.
func mark(l *live.Row) string {
	if l.Current {
		return "*"
	}
	return " "
}

// RowJSON returns a saved list as JSON.
func RowJSON(l *live.Row) Members {
	out := Members{}.AddIfSet("number", l.Number)
	out = append(out, "session", l.Name.Session, "agent", l.Name.AgentID()).AddIfSet("member", l.Member)
	out = append(out, "current", l.Current)
	if l.Err != nil {
		return append(out, "error", l.Err.Error())
	}
	out = append(out, "state", l.Standing.State, "active", l.Active, "updated_at", l.UpdatedAt, "counts", l.Counts).AddIfSet("first", l.Title)
	if o := l.Owner; o != nil {
		out = append(out, "owner", Members{"agent", o.Agent, "session", o.Session}.AddIfSet("seen_at", o.SeenAt).AddIfSet("ended_at", o.EndedAt))
	}
	return out.AddIfSet("project", l.Project)
}

// ListsJSON is onward/lists/v1: saved lists, and how many more there are.
func ListsJSON(rows []live.Row, more int, one func(*live.Row) Members) any {
	lists := render.Map(rows, func(_ int, r *live.Row) Members { return one(r) })
	return Members{"schema", "onward/lists/v1", "lists", lists, "more", more}
}
