package cmd

import (
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/overview"
)

// showStart is `onward` alone. On a terminal it shows how the project stands, and if there is nothing to tell of it, the sessions
// that need their user. In every other case it shows the help, as for a store on a network, which may be slow to answer.
func (a *app) showStart() error {
	if isTerminal(a.in) && !a.isAgent() {
		if t, err := a.target(); err == nil && !t.Storage.Shared() {
			text, err := a.projectText(t)
			if err != nil {
				return err
			}
			if text != "" {
				a.print(text)
				return nil
			}
		}
	}
	a.print(a.program().Overview(a.helpWidth()))
	return nil
}

// projectText returns what is known about the project, else the sessions that need their user; empty if there are none.
func (a *app) projectText(t find.List) (string, error) {
	is, err := readProject(t)
	if err != nil {
		return "", err
	}
	if is.Known() {
		return a.withSameListFlags(output.ProjectText(is, a.style(), t.Now.Time())), nil
	}
	rows, err := overview.Sessions(t, func(s continuation.Standing) bool { return s.Attention.NeedsUser() })
	if err != nil || len(rows) == 0 {
		return "", err
	}
	const most = 6 // with the lines of the totals and of what comes next, eight
	text := output.OverviewText(rows[:min(len(rows), most)], rows, a.style(), t.Now.Time())
	return text + "next: " + output.OverviewHint(rows) + map[bool]string{true: "; `onward session list` shows all"}[len(rows) > most] + "\n", nil
}

// readProject reads what is known about the project, with the command that goes on.
func readProject(t find.List) (output.Project, error) {
	is, err := overview.ReadProject(t, find.ReadConfig())
	if err != nil {
		return is, err
	}
	is.Agent = programNames()[0]
	switch {
	case is.CanGoOn(t.Now):
		is.Again = commandOf(is.Run) + " goes on"
	case is.Old && len(is.Run.Command) > 0:
		is.Again = commandOf(is.Run) + " works on the list"
	}
	return is, nil
}
