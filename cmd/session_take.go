package cmd

import (
	"errors"

	"onward/internal/find"
	"onward/internal/session"
)

type sessionTakeCmd struct {
	ID string `arg:"" optional:"" complete:"session" help:"The session; default: the current one."`
}

// Run takes a list from the agent that owns it, for example one in a pod that vanished. Its new owner is
// the conversation that runs the command, or else the next agent that asks.
func (c *sessionTakeCmd) Run(a *app) error {
	// This is about the project's list, not about the list that the conversation has because another one owns the project's.
	t, err := a.List("")
	a.noteMovedHere(t)
	if c.ID != "" && (err == nil || errors.Is(err, session.ErrUnnamed)) {
		t.Name, err = session.ParseName(c.ID)
	}
	if err != nil {
		return err
	}
	by, err := find.Conversation()
	if err != nil {
		return err
	}
	if err := t.Store.CheckNoWork("take", t.Name); err != nil {
		return err
	}
	commit, err := a.update(t, func(doc *session.Document) (session.Change, error) {
		return t.TakeOwnership(doc, by)
	})
	if err != nil {
		return err
	}
	if !commit.Changed && !a.JSON {
		a.printNote("no other agent owns session " + t.Name.String())
		return nil
	}
	return a.changed(t, commit)
}
