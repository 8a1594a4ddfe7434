package cmd

import (
	"cmp"
	"os"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/supervise"
)

// personOnly returns an error if an agent runs a command that only a person may run: it chooses by what the agent's work is
// measured, or what may run.
// The variables that an agent sets in its shell show that the command is not a person's. A terminal proves nothing,
// because several agents run their commands in one.
func personOnly(what string) error {
	sign := agentSign()
	if sign == "" {
		return nil
	}
	return cli.Hinted(
		cli.Failf(cli.ExitPermission, "only a person may %s, and this is an agent's shell (%s is set)", what, sign),
		"run the command yourself, in a terminal that no agent started")
}

// isPerson reports whether nothing shows that an agent runs the command.
func isPerson() bool { return agentSign() == "" }

// agentSign names the variable that shows that an agent runs the command; empty if none does. What a gate runs is an agent's
// too: the agent writes the tests.
func agentSign() string { return cmp.Or(agents.Marker(os.LookupEnv), ownSign()) }

// runSign is the variable that a run sets for its agent.
const runSign = "ONWARD_RUN"

// ownSign names the variable that shows that a run or a gate started the command; empty if none does. There the agent works
// without its user, who types nothing into its window either.
func ownSign() string {
	for _, own := range []string{runSign, supervise.InGateVariable} {
		if os.Getenv(own) != "" {
			return own
		}
	}
	return ""
}
