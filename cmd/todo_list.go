package cmd

import (
	"fmt"
	"time"

	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoListCmd struct {
	pagerFlags `embed:""`

	Limit int  `default:"20" placeholder:"N" help:"How many at most; default 20, 0 is all."`
	Pick  bool `help:"Ask for the number of the list to load; only on a terminal."`
}

func (c *todoListCmd) all() bool { return !c.Pick }

// Run shows the saved lists with their sessions.
func (c *todoListCmd) Run(a *app, t find.List) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	if c.Pick && (a.JSON || !isTerminal(a.in)) {
		return cli.Hinted(cli.Usagef("--pick asks on a terminal, and there is none"), "load one with `onward todo load N`")
	}
	config := find.ReadConfig().Remembering()
	if _, err := config.Settings(nil, nil); err != nil {
		return err
	}
	var rows []live.Row
	saved, err := t.Store.Catalog(t.Name)
	if err != nil {
		return err
	}
	more := eachRow(t, saved, c.Limit, config, func(row *live.Row) bool {
		rows = append(rows, *row)
		return true
	})
	c.NoPager = c.NoPager || c.Pick // the question is below the table
	c.show(a, listsJSON(rows, more, rowJSON), listsText(rows, a.style(), t.Now.Time()))
	a.reportHidden(rows, more)
	switch {
	case len(rows) == 0 || a.JSON:
	case c.Pick:
		return a.pick(t)
	case isTerminal(a.rawOut):
		a.out.Flush() // both streams are one screen
		a.hint("`onward todo load N` loads one of them into this session")
	}
	return nil
}

// checkLimit returns an error for a limit that makes no sense.
func checkLimit(n int) error {
	if n < 0 {
		return cli.Usagef("--limit %d: it is a number of lists, or 0 for all", n)
	}
	return nil
}

// reportHidden reports lists that are not shown, and damaged ones. With --json, the document has these.
func (a *app) reportHidden(rows []live.Row, more int) {
	if a.JSON {
		return
	}
	if more > 0 {
		verb := "are"
		if more == 1 {
			verb = "is"
		}
		a.printNote(fmt.Sprintf("%d more %s saved; --limit 0 shows all", more, verb))
	}
	for i := range rows {
		if rows[i].Err != nil {
			a.printNote(rows[i].Err.Error())
			a.hint(hintOf(failures(), rows[i].Err))
		}
	}
}

// pick asks for a number and loads that list; an empty answer loads none.
func (a *app) pick(t find.List) error {
	a.print("Number of the list to load into this session, or nothing: ")
	a.out.Flush()
	line, err := a.answer()
	if line == "" || err != nil {
		return nil
	}
	return (&todoLoadCmd{List: line}).Run(a, t)
}

// idColumns returns how many columns a session's id may take, so that a derived one with a short folder
// can be copied from a wide screen; on a narrow one they are a quarter.
func idColumns(style render.Style) int { return min(40, max(style.Width/4, 12)) }

// listsText shows saved lists: number, session, age, state, counts by status, the
// agent that owns the list, the project's folder, and the title. The current list is
// marked with an asterisk. Agent and project need a wide screen.
func listsText(lists []live.Row, style render.Style, now time.Time) string {
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
		rows[i] = []string{number, style.Cut(name, idColumns(style)), render.Age(todo.TimeOf(l.Changed), now), l.Standing.Why, "", "", "", ""}
		if l.Err == nil {
			copy(rows[i][always-1:], []string{
				render.Age(l.UpdatedAt, now), l.Standing.State.Words(), l.Counts.String(),
				render.Text(l.Agent()), render.Text(session.Folder(l.Project)), render.Text(l.Title),
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

// rowJSON returns a saved list as JSON.
func rowJSON(l *live.Row) members {
	out := members{}.some("number", l.Number)
	out = append(out, "session", l.Name.Session, "agent", l.Name.AgentID()).some("member", l.Member)
	out = append(out, "current", l.Current)
	if l.Err != nil {
		return append(out, "error", l.Err.Error())
	}
	out = append(out, "state", l.Standing.State, "active", l.Active, "updated_at", l.UpdatedAt, "counts", l.Counts).some("first", l.Title)
	if o := l.Owner; o != nil {
		out = append(out, "owner", members{"agent", o.Agent, "session", o.Session}.some("seen_at", o.SeenAt).some("ended_at", o.EndedAt))
	}
	return out.some("project", l.Project)
}

// listsJSON is onward/lists/v1: saved lists, and how many more there are.
func listsJSON(rows []live.Row, more int, one func(*live.Row) members) any {
	lists := render.Each(rows, func(_ int, r *live.Row) members { return one(r) })
	return members{"schema", "onward/lists/v1", "lists", lists, "more", more}
}
