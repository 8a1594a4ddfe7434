package cmd

import (
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/render"
)

type pauseCmd struct {
	ofSaved
	Reason []string `arg:"" empty:"" ask:"why can the agent not continue?" example:"'the fixture is missing'" help:"Why the agent cannot continue; 1 to 500 characters."`
}

// Run prevents continuation until the user's next prompt.
func (c *pauseCmd) Run(a *app, t find.List) error {
	reason := strings.Join(c.Reason, " ")
	commit, err := a.apply(t, continuation.Event{Type: continuation.Pause, Reason: reason, Person: a.isPerson(), InRun: t.InRun(), Source: "cli"})
	if err != nil {
		return err
	}
	if a.JSON {
		return a.changed(t, commit)
	}
	reason = commit.Doc.Continuation.Paused.ReasonFor(reason, commit.Changed)
	a.report("paused: " + render.Text(strings.TrimSpace(reason)) + "\n")
	return nil
}
