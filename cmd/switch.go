package cmd

import (
	continuation "onward/internal/continue"
)

// switchCmd is the user's own switch: stop and resume.
type switchCmd struct {
	event continuation.Type
}

// Run stops or resumes continuation.
func (c *switchCmd) Run(a *app) error {
	return a.applyAndTell(continuation.Event{Type: c.event, Source: "cli"})
}
