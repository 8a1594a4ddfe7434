package cmd

import (
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/session"
)

type todoHistoryCmd struct {
	ofSaved `embed:""`

	pagerFlags `embed:""`
}

// Run shows the changes of the list, newest first.
func (c *todoHistoryCmd) Run(a *app, t find.List) error {
	entries, err := t.Store.History(t.Name)
	if err != nil {
		return err
	}
	entries = entries[:min(len(entries), session.MaxUndo)]
	c.show(a, output.HistoryJSON(t.Name, entries), output.HistoryText(entries, a.style(), t.Now.Time()))
	return nil
}
