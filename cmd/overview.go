package cmd

import (
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/output"
	"onward/internal/overview"
	"onward/internal/session"
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
	saved, err := t.Store.SavedLists(t.Name)
	if err != nil {
		return err
	}
	config := find.ReadConfig().Caching()
	if _, err := config.Settings(nil, nil); err != nil {
		return err
	}
	asking, err := t.Calls().SessionsAwaiting(saved)
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
	overview.EachRow(t, saved, 0, config, show)
	for _, s := range asking {
		// It has no list, so it is shown as an empty one.
		t.Name = s.Name
		row := overview.RowOf(t, session.Listed{Saved: s, Doc: &session.Document{Session: s.Name.Session, Agent: s.Name.Agent, UpdatedAt: todo.TimeOf(s.Changed)}}, config)
		show(&row)
	}
	slices.SortFunc(rows, live.Compare)
	all := rows
	if c.Limit > 0 && len(rows) > c.Limit {
		rows = rows[:c.Limit]
	}
	more := len(all) - len(rows)
	c.show(a, output.ListsJSON(rows, more, output.StandingJSON), output.OverviewText(rows, all, a.style(), t.Now.Time()))
	a.reportHidden(rows, more)
	return nil
}
