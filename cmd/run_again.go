package cmd

import (
	"reflect"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/cli"
	"onward/internal/output"
	"onward/internal/run"
	"onward/internal/session"
)

// runHints names the next command of a run's user.
type runHints struct{ *runner }

// Answer returns the next step after a run that needs its user: the answer, and the command that continues the conversation.
func (r runHints) Answer(act run.Action) string {
	switch act.NextStep() {
	case run.FollowHint:
		return act.Hint
	case run.FollowHintFirst:
		return act.Hint + "; then `" + r.continueLine() + "`"
	case run.DropProtection:
		return "`" + r.continueWith(func(c *runCmd) { c.ProtectFiles = new("none") }) + "` goes on without the protection"
	}
	return "`" + shellquote.Join(append([]string{"onward", "reply"}, r.sessionFlags()...)...) + " 'ANSWER'` answers, and goes on"
}

// Done returns the next step after a run that is done.
func (r runHints) Done(grade run.Grade) string { return output.DoneHint(grade, r.sessionFlags()...) }

// AllowTools returns the command line that continues this run and allows tools that were denied.
func (r runHints) AllowTools(tools []string) string {
	again := r.continueAllowing(r.night.Program.AllowFlags(tools))
	if r.night.Item != nil { // the run has blocked the item
		return "`" + r.night.Item.ClaimLine() + "` claims the item again; then " + again
	}
	return again
}

// SkipPermissions returns the command line that continues this run and lets the agent work without being asked.
func (r runHints) SkipPermissions() string { return r.continueAllowing(r.night.Program.Rights) }

// continueAllowing returns the command line that continues this run with more flags of the agent, or what to do before if the agent has
// no flag for it.
func (r *runner) continueAllowing(flags string) string {
	again := r.continueLine()
	switch {
	case flags == "" || strings.Contains(again, flags): // what was denied needs more than that
		return "allow what the agent needs in its own settings, then `" + again + "`"
	case flags[0] != '-':
		return "allow what the agent needs by " + flags + ", then `" + again + "`"
	case r.night.Agent != r.night.Relay[0].Name:
		return "`" + r.continueWith(func(c *runCmd) { c.With = append(slices.Clone(c.With), r.night.Agent+"="+flags) }) + "` allows that, and continues"
	case len(r.words) == 0:
		again += " --"
	}
	return "`" + again + " " + flags + "` allows that, and continues"
}

// AddGate returns the command line that continues this run with a gate.
func (r runHints) AddGate() string {
	return "`" + r.continueWith(func(c *runCmd) { c.Gate = new("COMMAND") }) + "` lets a command decide"
}

// continueWith returns the command line that continues this run with other flags.
func (r *runner) continueWith(change func(*runCmd)) string {
	of, c := *r, *r.runCmd
	change(&c)
	of.runCmd = &c
	return of.continueLine()
}

// Continue returns the command line that continues this run.
func (r runHints) Continue() string { return r.continueLine() }

// Resume returns the command line of an earlier run's record, with its gate, budgets and flags. A record of an older version has none.
func (r runHints) Resume(last *session.Run) string {
	if len(last.Command) == 0 {
		return "`onward run " + last.Agent + "`"
	}
	return commandOf(last)
}

// sessionFlags returns the flags that lead to the session, if the user has given them or their variables.
func (r *runner) sessionFlags() []string {
	flags := r.storeFlags()
	if r.t.Named {
		flags = append(flags, "--session", r.t.Name.Session)
	}
	if !r.t.Name.IsMain() {
		flags = append(flags, "--agent", r.t.Name.Agent)
	}
	return flags
}

func (r *runner) storeFlags() []string {
	if r.a.Store == nil {
		return nil
	}
	return []string{"--store", *r.a.Store}
}

// continueWords returns the words after "onward" that continue this run: as they were typed, but without the task.
func (r *runner) continueWords() []string {
	c := *r.runCmd
	c.Task, c.File, c.Take, c.New = "", "", false, false
	if c.Item != nil { // which names the list, and so the session
		return c.typed(r.storeFlags())
	}
	return c.typed(r.sessionFlags())
}

// typed returns the words after "onward" for the command, with the flags of its place.
func (c *runCmd) typed(place []string) []string {
	words := slices.Concat([]string{"run"}, place, []string{c.Agent})
	if c.Task != "" {
		words = append(words, c.Task)
	}
	words = append(words, cli.GivenFlags(reflect.ValueOf(*c))...)
	if len(c.words) > 0 {
		words = append(append(words, "--"), c.words...)
	}
	return words
}

// meant returns the command line that the user probably meant, in backquotes: as it was typed, with what is changed.
func (r *runner) meant(change func(*runCmd)) string {
	c := *r.runCmd
	c.With = slices.Clone(c.With)
	change(&c)
	place := r.sessionFlags()
	if r.a.Session == nil && r.a.Agent == nil && r.a.Store == nil {
		place = nil // a variable names it, if anything does
	}
	return "`onward " + shellquote.Join(c.typed(place)...) + "`"
}

// continueLine returns the command line that continues this run, as the user types it.
func (r *runner) continueLine() string {
	return commandLine(r.continueWords(), r.night.Folder, r.a.away)
}
