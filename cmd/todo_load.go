package cmd

import (
	"fmt"

	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/session"
	"onward/internal/todo"
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
	if err := copyGateTrust(t, from, doc); err != nil {
		return err
	}
	return a.replaceList(t, continuation.Event{
		Type: continuation.Loaded, Items: doc.Todos.Items, Source: "cli", By: a.by(t), Person: a.isPerson(),
		Change: fmt.Sprintf("loaded the list of session %s", from),
	})
}

// copyGateTrust lets the gates of the items of a list run in the current session too, if they are trusted in the one
// that it is loaded from.
func copyGateTrust(t find.List, from session.Name, doc *session.Document) error {
	if !isPerson() {
		return nil
	}
	there := t
	there.Name = from
	var commands []string
	for _, command := range todo.GateCommands(doc.Todos.Items) {
		trusted, err := there.TrustsGate(&continuation.Settings{GateFrom: continuation.FromItem, Gate: command})
		if err != nil {
			return err
		}
		if trusted {
			commands = append(commands, command)
		}
	}
	return t.TrustItemGates(commands...)
}
