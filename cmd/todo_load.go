package cmd

import (
	"fmt"

	continuation "onward/internal/continue"
	"onward/internal/find"
)

type todoLoadCmd struct {
	List string `arg:"" name:"list" complete:"list" ask:"which list?" example:"1" help:"A number that todo list prints, or a session; SESSION+AGENT is a sub-agent's list."`
}

// Run copies a saved list into the current session and makes it the active one.
func (c *todoLoadCmd) Run(a *app, t find.List) error {
	from, doc, err := t.Store.FindToCopy(c.List, t.Name)
	if err != nil {
		return err
	}
	if isPerson() {
		if err := t.CopyGateTrust(from, doc); err != nil {
			return err
		}
	}
	return a.replaceList(t, continuation.Event{
		Type: continuation.Loaded, Items: doc.Todos.Items, Source: "cli", By: a.by(t), Person: a.isPerson(),
		Change: fmt.Sprintf("loaded the list of session %s", from),
	})
}
