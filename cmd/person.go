package cmd

import "onward/internal/find"

// isPerson reports whether the user runs the command, also by typing it in the agent's window.
func (a *app) isPerson() bool { return a.typed || isPerson() }

// isPerson reports whether nothing shows that an agent runs the command.
func isPerson() bool { return find.AnyAgentVariable() == "" }
