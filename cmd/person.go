package cmd

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"sync"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/night/system"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/supervise"
)

// personOnly refuses what is not a change of a list, and what only a person may do: it chooses by what the agent's work is measured,
// what may run, or how far the agent may go. Instead is what an agent may do, with a command that can be typed.
// The variables that an agent sets in its shell show that the command is not a person's. A terminal proves nothing,
// because several agents run their commands in one.
func personOnly(what, instead string) error {
	sign := shellSign()
	if sign == "" {
		return nil
	}
	return cli.Hinted(
		cli.Failf(cli.ExitPermission, "only a person may %s, and this is an agent's shell (%s is set)", what, sign),
		instead+"; to "+what+" yourself, use a terminal where "+sign+" is not set")
}

// isPerson reports whether the user runs the command, also by typing it in the agent's window.
func (a *app) isPerson() bool { return a.typed || isPerson() }

// isPerson reports whether nothing shows that an agent runs the command.
func isPerson() bool { return shellSign() == "" }

// shellSign names the variable that shows that an agent runs the command, also if it was cleared on the way here.
func shellSign() string { return cmp.Or(agentSign(), clearedSign()) }

// agentSign names the variable that shows that an agent runs the command; empty if none does. What a gate runs is an agent's
// too: the agent writes the tests.
func agentSign() string { return cmp.Or(agents.Marker(os.LookupEnv), ownSign()) }

// runSign is the variable that a run sets for its agent.
const runSign = "ONWARD_RUN"

// ownSign names the variable that shows that a run or a gate started the command; empty if none does. There the agent works
// without its user, who types nothing into its window either.
func ownSign() string {
	for _, own := range ownSigns() {
		if os.Getenv(own) != "" {
			return own
		}
	}
	return ""
}

// withoutUser reports whether a run or a gate started the command, also if the variable was cleared on the way here and another agent's
// was set: nobody types anything there.
func withoutUser() bool { return ownSign() != "" || clearedSign() != "" }

func ownSigns() []string { return []string{runSign, supervise.InGateVariable} }

// cleared is the variable of a run or a gate that a process above this one has, though it was cleared on the way here.
var cleared struct {
	once sync.Once
	sign string
	item string // of the run, as ONWARD_ITEM has it
}

// clearedSign names that variable; empty if there is none. It is looked for only where it matters, since that takes time. A test suite with a
// store and a configuration of its own is free to do what a person may.
func clearedSign() string {
	cleared.once.Do(func() {
		sign, above := process.Inherited(map[string]string{supervise.RunnerName: supervise.InGateVariable, supervise.TurnName: runSign}, ownSigns()...)
		named := slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "--store") })
		if sign != "" && (named || above == nil || !find.UsesOtherStore(above, os.Args[1:])) {
			cleared.sign = sign
			for _, line := range above {
				if item, is := strings.CutPrefix(line, system.ItemVariable+"="); is {
					cleared.item = item
				}
			}
		}
	})
	return cleared.sign
}

// itemOf returns the item of a queue that the run which started this command is about; empty if it is about none of that list.
func itemOf(queue session.Name) string { return itemIn(queue, os.Getenv(system.ItemVariable)) }

// hiddenItemOf does the same where the variable was cleared on the way here.
func hiddenItemOf(queue session.Name) string { return itemIn(queue, clearedItem()) }

func itemIn(queue session.Name, label string) string {
	if name, id, is := strings.Cut(label, ":"); is && name == queue.String() {
		return id
	}
	return ""
}

// clearedItem returns the item that a run above this process is about; empty if there is none, or if nothing was cleared.
func clearedItem() string {
	if clearedSign() == "" {
		return ""
	}
	return cleared.item
}
