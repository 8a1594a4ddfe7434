package cmd

import (
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/overview"
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
	filter, err := continuation.ParseStateFilter(c.State)
	if err != nil {
		return err
	}
	rows, err := overview.Sessions(t, filter.Match)
	if err != nil {
		return err
	}
	all := rows
	if c.Limit > 0 && len(rows) > c.Limit {
		rows = rows[:c.Limit]
	}
	more := len(all) - len(rows)
	c.show(a, output.ListsJSON(rows, more, output.StandingJSON), output.OverviewText(rows, all, a.style(), t.Now.Time()))
	a.reportHidden(rows, more)
	if !a.JSON {
		a.hint(output.OverviewHint(rows))
	}
	return nil
}
