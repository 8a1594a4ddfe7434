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
	err := a.applyAndTell(t, continuation.Event{Type: c.event, Own: !a.isPerson(), Here: a.typed, Source: "cli"})
	if err != nil || !a.isPerson() {
		return err
	}
	last, atWork, err := lastRun(t)
	switch {
	case err != nil || last == nil:
	case c.event == continuation.Resume && !atWork:
		a.hint("to go on: " + commandOf(last))
	case c.event == continuation.Stop && atWork:
		a.printNote("the run at work ends after this turn; Ctrl-C in its terminal ends it now")
	}
	return nil
}
