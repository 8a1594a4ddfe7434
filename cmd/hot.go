package cmd

import "strings"

// hot recognises the plain forms of the commands that loops and hooks start all the time,
// and answers them without building the grammar. Anything else is nil and goes to kong.
// A script proves that both ways give the same bytes and codes.
func hot(a *app) runner {
	if len(a.args) == 0 || a.args[0] != "check-continue" {
		return nil
	}
	var c checkContinueCmd
	g := a.globals
	for rest := a.args[1:]; len(rest) > 0; rest = rest[1:] {
		switch rest[0] {
		case "--json":
			g.JSON = true
		case "--quiet", "-q":
			g.Quiet = true
		case "--dry-run":
			c.DryRun = true
		case "--session", "-s":
			if len(rest) < 2 || strings.HasPrefix(rest[1], "-") {
				return nil
			}
			g.Session = &rest[1]
			rest = rest[1:]
		default:
			return nil
		}
	}
	a.globals = g
	return &c
}
