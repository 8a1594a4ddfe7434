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
	return a.applyAndTell(t, continuation.Event{Type: c.event, Source: "cli"})
}
