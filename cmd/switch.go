package cmd

import (
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/session"
)

// stopCmd and resumeCmd are the user's own switch.
type stopCmd struct {
	ofSaved
	Now bool `help:"Interrupt the turn of the run at work too, instead of letting it end."`
}

type resumeCmd struct {
	ofSaved
}

// Run stops continuation, and says what becomes of a run that is at work.
func (c *stopCmd) Run(a *app, t find.List) error {
	return a.applyAndTellLastRun(t, continuation.Event{Type: continuation.Stop, Now: c.Now}, func(last *session.Run, atWork bool) {
		switch {
		case atWork && c.Now:
			a.printNote("the run at work is interrupted, and ends")
		case atWork && !last.InTurn():
			a.printNote("the run at work is between two turns, and ends")
		case atWork:
			a.printNote("the run at work ends after this turn; --now interrupts it")
		case c.Now:
			a.printNote("no run is at work; an agent in a window of its own is interrupted there")
		}
	})
}

// Run lets continuation go on.
func (c *resumeCmd) Run(a *app, t find.List) error {
	return a.applyAndTellLastRun(t, continuation.Event{Type: continuation.Resume}, func(last *session.Run, atWork bool) {
		if last != nil && !atWork {
			a.hint("to go on: " + commandOf(last))
		}
	})
}

// applySwitch changes the list by an event of whoever runs this command.
func (a *app) applySwitch(t find.List, e continuation.Event) error {
	e.Own, e.Here, e.Source = !a.isPerson(), a.typed, "cli"
	return a.applyAndTell(t, e)
}

// applyAndTellLastRun changes the list by an event, and then tells a person what the last run does, which may be nil.
func (a *app) applyAndTellLastRun(t find.List, e continuation.Event, tell func(last *session.Run, atWork bool)) error {
	err := a.applySwitch(t, e)
	if err != nil || !a.isPerson() {
		return err
	}
	if last, atWork, err := t.Store.LastRun(t.Name, t.Now); err == nil {
		a.out.Flush() // it follows what has changed
		tell(last, atWork)
	}
	return nil
}
