package cmd

import (
	"errors"
	"slices"
	"strings"

	"onward/internal/output"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

type sessionListCmd struct {
	ofAll
	pagerFlags `embed:""`

	Limit int      `default:"20" placeholder:"N" help:"How many at most; default 20, 0 is all."`
	State []string `placeholder:"S" complete:"attention" help:"Only sessions in this state; repeatable, or with commas between."`
}

// Run shows the sessions; those that need the user come first.
func (c *sessionListCmd) Run(a *app, t find.List) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	var states []continuation.State
	var attentions []continuation.Attention // earlier versions had these words
	for _, word := range c.State {
		s, err := continuation.ParseState(strings.TrimSpace(word))
		if a, old := continuation.ParseAttention(strings.TrimSpace(word)); err != nil && old == nil {
			attentions = append(attentions, a)
		} else if err != nil {
			return err
		}
		states = append(states, s)
	}
	saved, err := t.Store.Catalog(t.Name)
	if err != nil {
		return err
	}
	config := find.ReadConfig().Remembering()
	if _, err := config.Settings(nil, nil); err != nil {
		return err
	}
	asking, err := t.Calls().Asking(saved)
	if err != nil {
		return err
	}
	var rows []live.Row
	show := func(row *live.Row) bool {
		if states == nil || slices.Contains(states, row.Standing.State) || slices.Contains(attentions, row.Standing.Attention) {
			rows = append(rows, *row)
		}
		return true
	}
	eachRow(t, saved, 0, config, show)
	for _, s := range asking {
		// It has no list, so it is shown as an empty one.
		t.Name = s.Name
		row := rowOf(t, session.Listed{Saved: s, Doc: &session.Document{Session: s.Name.Session, Agent: s.Name.Agent, UpdatedAt: todo.TimeOf(s.Changed)}}, config)
		show(&row)
	}
	slices.SortFunc(rows, live.Compare)
	all := rows
	if c.Limit > 0 && len(rows) > c.Limit {
		rows = rows[:c.Limit]
	}
	more := len(all) - len(rows)
	c.show(a, output.ListsJSON(rows, more, output.StandingRow), output.OverviewText(rows, all, a.style(), t.Now.Time()))
	a.reportHidden(rows, more)
	return nil
}

// stand returns what a session needs, with the decision; gone reports that the process of its owner has ended.
func examine(t find.List, config *find.Config, doc *session.Document, gone bool) (ask.Answer, continuation.Standing, error) {
	q := ask.Question{List: find.Asked{List: t, Config: config}, Said: continuation.Facts{Switch: find.TodoToolSwitch()}, Now: t.Now, DryRun: true}
	return q.Standing(doc, gone)
}

// gone reports that the process of a list's owner has ended.
func ownerGone(t find.List, doc *session.Document) bool {
	return doc.Owner != nil && t.Store.Gone(doc.Owner.Process)
}

// standing reads a session and its state; it returns nothing if the session was deleted meanwhile. It changes nothing.
func readRow(t find.List, s session.Saved, config *find.Config) (*live.Row, *session.Document) {
	t.Name = s.Name
	read := t.Store.Read(s)
	if read.Doc == nil && read.Err == nil {
		return nil, nil
	}
	row := rowOf(t, read, config)
	return &row, read.Doc
}

// standings reads sessions with their states, at most limit of them, or all if it is 0, and shows them one by one, until
// show returns false. It returns how many more there are.
func eachRow(t find.List, saved []session.Saved, limit int, config *find.Config, show func(*live.Row) bool) (more int) {
	shown, seen := 0, 0
	for some := range slices.Chunk(saved, session.AtOnce(limit)) {
		ahead := t.Prefetched(some, config)
		for _, s := range some {
			if limit > 0 && shown == limit {
				return len(saved) - seen
			}
			seen++
			if row, _ := readRow(ahead, s, config); row != nil {
				if !show(row) {
					return len(saved) - seen
				}
				shown++
			}
		}
	}
	return 0
}

// row returns the row of a session that was read, with its state.
func rowOf(t find.List, read session.Listed, config *find.Config) live.Row {
	t.Name = read.Name
	row := live.NewRow(read)
	if read.Doc == nil {
		return row
	}
	_, standing, err := examine(t, config, read.Doc, ownerGone(t, read.Doc))
	if err != nil {
		standing = live.Unknown(err.Error(), read.Doc.UpdatedAt)
	}
	if errors.Is(err, store.ErrUnavailable) {
		row.Err = err // the error is the session's and does not end the command
	}
	row.Standing = standing
	return row
}
