package cmd

import (
	"onward/internal/cli"
	"onward/internal/find"
)

// personOnly refuses what is not a change of a list, and what only a person may do: it chooses by what the agent's work is measured,
// what may run, or how far the agent may go. Instead is what an agent may do, with a command that can be typed.
// The variables that an agent sets in its shell show that the command is not a person's. A terminal proves nothing,
// because several agents run their commands in one.
func personOnly(what, instead string) error {
	sign := find.AnyAgentVariable()
	if sign == "" {
		return nil
	}
	return cli.WithHint(
		cli.Failf(cli.ExitPermission, "only a person may %s, and this is an agent's shell (%s is set)", what, sign),
		instead+"; to "+what+" yourself, use a terminal where "+sign+" is not set")
}

// isPerson reports whether the user runs the command, also by typing it in the agent's window.
func (a *app) isPerson() bool { return a.typed || isPerson() }

// isPerson reports whether nothing shows that an agent runs the command.
func isPerson() bool { return find.AnyAgentVariable() == "" }
