package render

import (
	"fmt"
	"strings"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// idColumn is how many columns a session's id may take, so that a derived one with a short folder
// can be copied from a wide screen; on a narrow one they are a quarter.
const idColumn = 40

// cutID shortens a session's id to its column.
func (s Style) cutID(id string) string { return s.cut(id, min(idColumn, max(s.Width/4, 12))) }

// Lists shows saved lists: number, session, age, state, counts by status, the
// agent that owns the list, the project's folder, and the title. The current list is
// marked with an asterisk. Agent and project need a wide screen.
func Lists(lists []session.Listed, style Style, now time.Time) string {
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
		rows[i] = []string{mark + fmt.Sprint(l.Number), style.cutID(name), age(todo.TimeOf(l.Changed), now), "cannot be read", "", "", "", ""}
		if l.Doc == nil {
			continue
		}
		agent := ""
		if o := l.Doc.Owner; o != nil {
			agent = Text(o.Agent)
		}
		copy(rows[i][always-1:], []string{
			age(l.Doc.UpdatedAt, now), string(l.Doc.State()), listCounts(l.Doc),
			agent, Text(base(l.Doc.Project)), Text(title(l.Doc)),
		})
	}
	if heads, _ := split(rows, owned); style.Width > 0 && style.Width-widest(aligned(heads)) < leastText {
		for i := range rows {
			rows[i] = append(rows[i][:narrow], rows[i][owned])
		}
	}
	return style.table(rows, always)
}

// base returns the last part of a path of any system.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

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

// title returns the text that a list is known by: of its first open item, or
// of its first where none is open. A list without items has none.
func title(doc *session.Document) string {
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

// ListsJSON is onward/lists/v1: saved lists, and how many more there are.
func ListsJSON(lists []session.Listed, more int) []byte {
	out := make([]listJSON, len(lists))
	for i, l := range lists {
		out[i] = listJSON{Number: l.Number, Session: l.Name.Session, Agent: agentOf(l.Name), Current: l.Current}
		if l.Err != nil {
			out[i].Error = l.Err.Error()
			continue
		}
		out[i].listFact = &listFact{
			State: l.Doc.State(), Active: l.Doc.Todos.Active, UpdatedAt: l.Doc.UpdatedAt,
			Counts: todo.Count(l.Doc.Todos.Items), First: title(l.Doc), Project: l.Doc.Project,
		}
		if o := l.Doc.Owner; o != nil {
			out[i].Owner = &ownerJSON{o.Agent, o.Session, o.SeenAt, o.EndedAt}
		}
	}
	return encode(struct {
		Schema string     `json:"schema"`
		Lists  []listJSON `json:"lists"`
		More   int        `json:"more"`
	}{"onward/lists/v1", out, more})
}

func agentOf(name session.Name) string {
	if name.Agent == "" {
		return session.Primary
	}
	return name.Agent
}
