package cmd

import (
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/session"
)

type todoUndoCmd struct {
	ofSaved `embed:""`

	N int `arg:"" optional:"" default:"1" complete:"change" help:"How many changes; default 1."`
}

// Run undoes the last changes of the list, and reports which.
func (c *todoUndoCmd) Run(a *app, t find.List) error {
	if c.N < 1 || c.N > session.MaxUndo {
		return cli.WithHint(cli.Usagef("undo %d: 1 to %d changes can be undone", c.N, session.MaxUndo), "`onward todo history` shows the changes")
	}
	return a.change(t, func(doc *session.Document) (session.Change, error) {
		entries, err := doc.Entries()
		if err != nil {
			return session.Change{}, err
		}
		return continuation.Undo(doc, entries, c.N, isPerson(), a.isAgent(), t.Now)
	})
}
