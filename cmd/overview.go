package cmd

import (
	"slices"
	"strings"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/session"
)

type sessionListCmd struct {
	pagerFlags `embed:""`

	Limit int      `default:"20" placeholder:"N" help:"How many at most; default 20, 0 is all."`
	State []string `placeholder:"S" complete:"attention" help:"Only sessions in this state; repeatable, or with commas between."`
}

// Run shows the sessions; those that need the user come first.
func (c *sessionListCmd) Run(a *app, t target) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	var states []continuation.Attention
	for _, word := range c.State {
		s, err := continuation.ParseAttention(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		states = append(states, s)
	}
	saved, err := t.store.Catalog(t.name)
	if err != nil {
		return err
	}
	config := readConfigFile()
	if _, err := config.settings(nil); err != nil {
		return err
	}
	var rows []live.Row
	for _, s := range saved {
		row, _ := t.standing(s, config)
		if row != nil && (states == nil || slices.Contains(states, row.Standing.Attention)) {
			rows = append(rows, *row)
		}
	}
	slices.SortFunc(rows, live.Compare)
	all := rows
	if c.Limit > 0 && len(rows) > c.Limit {
		rows = rows[:c.Limit]
	}
	more := len(all) - len(rows)
	c.show(a, listsJSON(rows, more, standingRow), overviewText(rows, all, a.style(), t.now.Time()))
	a.reportHidden(rows, more)
	return nil
}

// stand returns what a session needs, with the decision; gone reports that the process of its owner has ended.
func (t target) stand(config *configFile, doc *session.Document, gone bool) (ask.Answer, continuation.Standing, error) {
	q := ask.Question{List: asked{target: t, config: config}, Said: continuation.Facts{Switch: todoSwitch()}, Now: t.now, DryRun: true}
	return q.Standing(doc, gone)
}

// standing reads a session and its state; nothing if it was deleted meanwhile. It changes nothing.
func (t target) standing(s session.Saved, config *configFile) (*live.Row, *session.Document) {
	t.name = s.Name
	read := t.store.Read(s)
	if read.Doc == nil && read.Err == nil {
		return nil, nil
	}
	row := live.NewRow(read)
	if read.Doc == nil {
		return &row, nil
	}
	gone := read.Doc.Owner != nil && t.store.Gone(read.Doc.Owner.Process)
	_, standing, err := t.stand(config, read.Doc, gone)
	if err != nil {
		standing = live.Unknown(err.Error(), read.Doc.UpdatedAt)
	}
	row.Standing = standing
	return &row, read.Doc
}
