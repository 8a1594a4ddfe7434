package cmd

import (
	"fmt"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/session"
)

type todoUndoCmd struct {
	N int `arg:"" optional:"" default:"1" complete:"change" help:"How many changes; default 1."`
}

// Run undoes the last changes of the list, and reports which.
func (c *todoUndoCmd) Run(a *app, t target) error {
	if c.N < 1 || c.N > session.MaxUndo {
		return cli.Usagef("undo %d: 1 to %d changes can be undone", c.N, session.MaxUndo)
	}
	return a.change(t, func(doc *session.Document) (session.Change, error) {
		entries, err := t.store.Entries(t.name)
		if err != nil {
			return session.Change{}, err
		}
		to, undone, err := session.Before(doc, entries, c.N)
		if err != nil {
			return session.Change{}, err
		}
		what := "undid: " + undone[0].Change
		if len(undone) > 1 {
			what = fmt.Sprintf("undid %d changes, back to before: %s", len(undone), undone[len(undone)-1].Change)
		}
		return continuation.Apply(doc, continuation.Event{
			Type: continuation.Undone, Items: to.Items, Inactive: !to.Active, Back: to.Rev, Change: what, Source: "cli",
		}, t.now)
	})
}
