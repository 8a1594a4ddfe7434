package cmd

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type sessionDeleteCmd struct {
	ofAll

	IDs []string `arg:"" name:"id" complete:"session" ask:"which session?" example:"demo" help:"Sessions; SESSION+AGENT is only that sub-agent's list."`
	Yes bool     `short:"y" help:"Do not ask."`
}

// Run deletes sessions. If one of them does not exist, it deletes none.
func (c *sessionDeleteCmd) Run(a *app, t find.List) error {
	removed, err := t.Store.DeleteOnce(a.op(), c.IDs, t.Now, func(names []session.Name) error {
		switch {
		case c.Yes:
		case !isTerminal(a.in):
			return cli.WithHint(cli.Usagef("nothing was deleted: without a terminal to ask on, --yes is needed"), "onward session delete --yes "+strings.Join(c.IDs, " "))
		case !a.confirm("Delete " + strings.Join(render.Map(names, func(_ int, n *session.Name) string { return n.String() }), ", ") + "?"):
			a.printNote("nothing was deleted")
			return cli.ExitCode(cli.ExitNo)
		}
		return nil
	})
	if removed != nil {
		a.printRemoved(removed, false)
		gate.RemoveStaleCheckouts(t)
	}
	return err
}

func (a *app) printRemoved(names []session.Name, dryRun bool) {
	a.committed = len(names) > 0 && !dryRun
	if dryRun {
		a.show(output.RemovedJSON(names, true), output.RemovedText("would delete", names))
	} else {
		a.tell(output.RemovedJSON(names, false), output.RemovedText("deleted", names))
	}
}

// confirm asks on the terminal; any answer but yes means no.
func (a *app) confirm(question string) bool { return a.agrees(question+" [y/N] ", "y", "yes") }

// agrees asks on the terminal, and reports whether the answer is one of those that agree.
func (a *app) agrees(question string, agree ...string) bool {
	io.WriteString(a.err, question)
	line, err := a.answer()
	return err == nil && slices.Contains(agree, strings.ToLower(line))
}

type sessionPruneCmd struct {
	ofAll

	OlderThan string `placeholder:"D" help:"How long a list must be unchanged: 30d or 12h."`
	DryRun    bool   `help:"Show what would be deleted, and delete nothing."`
}

// Run deletes the sessions that were not changed for a long time, but not the current one.
func (c *sessionPruneCmd) Run(a *app, t find.List) error {
	if c.OlderThan == "" {
		return cli.WithHint(cli.Usagef("how long must a list be unchanged?"), "for example `onward session prune --older-than 30d --dry-run`; see `onward session prune --help`")
	}
	age, err := parseAge(c.OlderThan)
	if err != nil {
		return err
	}
	before := t.Now.Time().Add(-age)
	names, err := t.Store.Prunable(before, t.Name.Session)
	if len(names) > 0 && err == nil && !c.DryRun {
		if names, err = t.Store.Prune(names, before); err != nil && names == nil {
			return err
		}
		gate.RemoveStaleCheckouts(t)
	}
	a.printRemoved(names, c.DryRun)
	if len(names) == 0 && err == nil && !a.JSON {
		a.printNote(fmt.Sprintf("no other session has been unchanged for %s", c.OlderThan))
	}
	return err
}

// parseAge reads a duration, which may be in days, as 30d.
func parseAge(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	d, err := continuation.TypedDuration(text)
	if err != nil { // an example in minutes would delete nearly everything
		example := "30d"
		if strings.Trim(text, "0123456789") == "" {
			example = text + "d"
		}
		return 0, &todo.UnknownWordError{Text: fmt.Sprintf("--older-than: %v", err), Word: text, Known: []string{example}}
	}
	return d, nil
}
