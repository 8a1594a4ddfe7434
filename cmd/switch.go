package cmd

import (
	continuation "onward/internal/continue"
	"onward/internal/find"
)

// switchCmd is the user's own switch: stop and resume.
type switchCmd struct {
	ofSaved
	event continuation.Type
}

// Run stops or resumes continuation.
func (c *switchCmd) Run(a *app, t find.List) error {
	err := a.applyAndTell(t, continuation.Event{Type: c.event, Own: !a.isPerson(), Source: "cli"})
	if err != nil || c.event != continuation.Resume || !a.isPerson() {
		return err
	}
	if last, atWork, err := lastRun(t); err == nil && last != nil && !atWork {
		a.hint("to go on: " + commandOf(last))
	}
	return nil
}
