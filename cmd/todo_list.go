package cmd

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// listCmd is `todo list` and `session list`.
type listCmd struct {
	pagerFlags `embed:""`

	Limit int  `default:"20" placeholder:"N" help:"How many at most; default 20, 0 is all."`
	Pick  bool `help:"Ask for the number of the list to load; only on a terminal."`
}

// Run shows the saved lists with their sessions.
func (c *listCmd) Run(a *app) error {
	if c.Limit < 0 {
		return usagef("--limit %d: it is a number of lists, or 0 for all", c.Limit)
	}
	if c.Pick && (a.JSON || !isTerminal(a.in)) {
		return &usageError{Message: "--pick asks on a terminal, and there is none", Next: "load one with `onward todo load N`"}
	}
	t, err := a.target()
	if err != nil {
		return err
	}
	lists, more, err := t.store.Lists(t.name, c.Limit)
	if err != nil {
		return err
	}
	if a.JSON {
		a.write(listsJSON(lists, more))
		return nil
	}
	c.NoPager = c.NoPager || c.Pick // the question stands below the table
	c.page(a, listsText(lists, a.style(), t.now.Time()))
	a.noteLists(lists, more)
	if !c.Pick || len(lists) == 0 {
		return nil
	}
	return a.pick()
}

// noteLists tells of lists that are not shown, and of damaged ones.
func (a *app) noteLists(lists []session.Listed, more int) {
	if more > 0 {
		verb := "are"
		if more == 1 {
			verb = "is"
		}
		a.note(fmt.Sprintf("%d more %s saved; --limit 0 shows all", more, verb))
	}
	for _, l := range lists {
		if l.Err != nil {
			a.note(l.Err.Error())
		}
	}
}

// pick asks for a number and loads that list; an empty answer loads none.
func (a *app) pick() error {
	a.print("Number of the list to load into this session, or nothing: ")
	a.out.Flush()
	line, err := bufio.NewReader(io.LimitReader(a.in, 256)).ReadString('\n')
	if line = strings.TrimSpace(line); line == "" || err != nil {
		return nil
	}
	return (&todoLoadCmd{List: line}).Run(a)
}

// idColumn is how many columns a session's id may take, so that a derived one with a short folder
// can be copied from a wide screen; on a narrow one they are a quarter.
const idColumn = 40

// cutID shortens a session's id to its column.
func cutID(style render.Style, id string) string {
	return style.Cut(id, min(idColumn, max(style.Width/4, 12)))
}

// listsText shows saved lists: number, session, age, state, counts by status, the
// agent that owns the list, the project's folder, and the title. The current list is
// marked with an asterisk. Agent and project need a wide screen.
func listsText(lists []session.Listed, style render.Style, now time.Time) string {
	if len(lists) == 0 {
		return "no saved lists\n"
	}
	const always, narrow, owned = 3, 5, 7 // the number of first cells
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
		rows[i] = []string{mark + fmt.Sprint(l.Number), cutID(style, name), render.Age(todo.TimeOf(l.Changed), now), "cannot be read", "", "", "", ""}
		if l.Doc == nil {
			continue
		}
		agent := ""
		if o := l.Doc.Owner; o != nil {
			agent = render.Text(o.Agent)
		}
		copy(rows[i][always-1:], []string{
			render.Age(l.Doc.UpdatedAt, now), string(l.Doc.State()), listCounts(l.Doc),
			agent, render.Text(lastPart(l.Doc.Project)), render.Text(listTitle(l.Doc)),
		})
	}
	if !style.HasRoom(rows, owned) {
		for i := range rows {
			rows[i] = append(rows[i][:narrow], rows[i][owned])
		}
	}
	return style.Table(rows, always)
}

// lastPart returns the last part of a path of any system.
func lastPart(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// listCounts says in words how many items of a list have each status.
func listCounts(doc *session.Document) string {
	c := todo.Count(doc.Todos.Items)
	var parts []string
	for _, s := range todo.Statuses {
		if n := c.Of(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(s), "_", " ")))
		}
	}
	return strings.Join(parts, ", ")
}

// listTitle returns the text that a list is known by: of its first open item, or
// of its first where none is open. A list without items has none.
func listTitle(doc *session.Document) string {
	items := doc.Todos.Items
	for i := range items {
		if items[i].Status.Open() {
			return items[i].Content
		}
	}
	if len(items) > 0 {
		return items[0].Content
	}
	return ""
}

// listJSON is one saved list of onward/lists/v1.
type listJSON struct {
	Number    int    `json:"number"`
	Session   string `json:"session"`
	Agent     string `json:"agent"`
	Current   bool   `json:"current"`
	Error     string `json:"error,omitzero"`
	*listFact `json:",inline"`
}

// listFact is what is known of a list that can be read.
type listFact struct {
	State     session.State `json:"state"`
	Active    bool          `json:"active"`
	UpdatedAt todo.Time     `json:"updated_at"`
	Counts    todo.Counts   `json:"counts"`
	First     string        `json:"first,omitzero"`
	Owner     *ownerJSON    `json:"owner,omitzero"`
	Project   string        `json:"project,omitzero"`
}

type ownerJSON struct {
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	SeenAt  todo.Time `json:"seen_at,omitzero"`
	EndedAt todo.Time `json:"ended_at,omitzero"`
}

// listsJSON is onward/lists/v1: saved lists, and how many more there are.
func listsJSON(lists []session.Listed, more int) []byte {
	out := make([]listJSON, len(lists))
	for i, l := range lists {
		out[i] = listJSON{Number: l.Number, Session: l.Name.Session, Agent: l.Name.AgentID(), Current: l.Current}
		if l.Err != nil {
			out[i].Error = l.Err.Error()
			continue
		}
		out[i].listFact = &listFact{
			State: l.Doc.State(), Active: l.Doc.Todos.Active, UpdatedAt: l.Doc.UpdatedAt,
			Counts: todo.Count(l.Doc.Todos.Items), First: listTitle(l.Doc), Project: l.Doc.Project,
		}
		if o := l.Doc.Owner; o != nil {
			out[i].Owner = &ownerJSON{o.Agent, o.Session, o.SeenAt, o.EndedAt}
		}
	}
	return render.Encode(struct {
		Schema string     `json:"schema"`
		Lists  []listJSON `json:"lists"`
		More   int        `json:"more"`
	}{"onward/lists/v1", out, more})
}
