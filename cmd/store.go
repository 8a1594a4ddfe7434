package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/overview"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/internal/transfer"
)

type storeInfoCmd struct{}

// Run shows the store and its state. A store that cannot be reached is shown too; the exit code is that of the error.
func (c *storeInfoCmd) Run(a *app) error {
	at, err := a.Address()
	if err != nil {
		return err
	}
	info := overview.Store{Schema: "onward/store/v1", Store: at.Text, Engine: cmp.Or(at.Engine(), "files")}
	s, err := a.Open(at)
	if err == nil {
		info.Local = s.Local.Dir
		err = info.Read(s)
	}
	if err == nil {
		info.Reachable = true
	} else {
		info.Problem, info.Hint = err.Error(), failures().Hint(err)
		err = cli.ExitCode(codeOf(err))
	}
	a.show(info, info.Text(a.style()))
	return err
}

type storeCopyCmd struct {
	From    string   `arg:"" complete:"file" ask:"from which store, and to which?" example:"~/.local/state/onward etcd://db1/team" help:"The store to copy from: a folder or a URL."`
	To      string   `arg:"" complete:"file" help:"The store to copy to."`
	IDs     []string `arg:"" name:"session" optional:"" complete:"session" help:"Only these sessions; SESSION+AGENT is only that sub-agent's list."`
	Move    bool     `help:"Move instead of copying: leave a mark here that names the other store."`
	Replace bool     `help:"Overwrite a session that was changed in the other store."`
	DryRun  bool     `help:"Show what would be copied, and copy nothing."`
}

// Run copies sessions from one store to another, one list after the other: if one cannot be copied, the others still are.
func (c *storeCopyCmd) Run(a *app) error {
	// Whether a copy changes anything is known when each list was compared, so an agent's begins as a dry run.
	may := find.RequirePerson("copy or move sessions", "`onward store copy --dry-run FROM TO` shows what it would do")
	if c.DryRun {
		may = nil
	}
	c.DryRun = c.DryRun || may != nil
	from, fromFiles, err := a.openSide("FROM", c.From)
	if err != nil {
		return err
	}
	if at, _ := store.ParseAddress(c.From); at.Scheme == "" { // a source that does not exist is misspelt
		if _, err := os.Stat(at.Text); err != nil {
			return fileError("read", at.Text, err)
		}
	}
	to, toFiles, err := a.openSide("TO", c.To)
	if err != nil {
		return err
	}
	if from.Address == to.Address || find.SameFolder(from.Address, to.Address) {
		return cli.Usagef("FROM and TO are the same store")
	}
	now, err := a.Clock()
	if err != nil {
		return err
	}
	names, err := c.names(from.Lists)
	if saved, unread := from.Lists.SavedLists(session.Name{}); errors.Is(err, session.ErrNoSession) && unread == nil && len(saved) == 0 {
		return cli.WithHint(fmt.Errorf("%w: no session is saved in %s, the store FROM", session.ErrNoSession, from.Address), "`onward store info` shows the store that is used here")
	}
	if err != nil {
		return err
	}
	t := transfer.Transfer{From: from, To: to, Move: c.Move, Replace: c.Replace, DryRun: c.DryRun, Now: now}
	// The settings come first, because a list would be done too early without the gate of its project.
	ofProjects := names
	if len(c.IDs) == 0 {
		ofProjects = nil
	}
	settings, err := find.CopySettings(&t, fromFiles, toFiles, ofProjects)
	var all []transfer.Outcome
	if err == nil {
		all, err = find.CopyLists(t, fromFiles, toFiles, names, func(done int) { a.countdown(done, len(names)) })
		a.countdown(0, 0)
	}
	changes := transfer.AnyChange(append(settings, all...))
	if a.committed = changes && !c.DryRun; err != nil {
		return err
	}
	if may != nil && changes {
		return may
	}
	if a.JSON {
		out := output.Members{"schema", "onward/copy/v1", "from", from.Address, "to", to.Address, "dry_run", c.DryRun, "lists", render.Map(all, output.CopiedJSON)}
		if len(settings) > 0 {
			out = append(out, "settings", render.Map(settings, output.CopiedSettingsJSON))
		}
		a.writeJSON(out)
	} else if len(all) == 0 && len(settings) == 0 {
		a.printNote("no session is saved in " + from.Address)
	}
	return c.printCopied(a, append(settings, all...))
}

// names returns the lists that are copied.
func (c *storeCopyCmd) names(lists *session.Store) (names []session.Name, err error) {
	if len(c.IDs) > 0 {
		return lists.ListsNamed(c.IDs)
	}
	saved, err := lists.SavedLists(session.Name{})
	for _, l := range saved {
		names = append(names, l.Name)
	}
	slices.SortFunc(names, func(x, y session.Name) int { return cmp.Compare(x.String(), y.String()) })
	return names, err
}

// openSide opens one of two stores.
func (a *app) openSide(which, text string) (transfer.Side, find.Storage, error) {
	at, err := find.AddressOf(which, text)
	if err != nil {
		return transfer.Side{}, find.Storage{}, err
	}
	s, err := a.Open(at)
	if err != nil {
		return transfer.Side{}, s, err
	}
	return transfer.Side{Lists: s.Sessions(), Calls: s.Calls(), Outputs: s.Outputs(), Address: at.Text}, s, nil
}

// countdown shows the progress of the copy on a terminal, and erases it at the end.
func (a *app) countdown(done, of int) {
	switch {
	case a.Quiet || a.JSON || !isTerminal(a.err):
	case of == 0:
		io.WriteString(a.err, "\r\x1b[K")
	default:
		io.WriteString(a.err, fmt.Sprintf("\rcopying list %d of %d\x1b[K", done+1, of))
	}
}

// printCopied prints the result for each list. The code is that of the first one that could not be copied.
func (c *storeCopyCmd) printCopied(a *app, all []transfer.Outcome) error {
	var failed error
	for _, l := range all {
		switch {
		case l.Err != nil && failed == nil:
			failed = l.Err
		case l.Err != nil && !a.JSON:
			a.printNote(l.Err.Error())
		case l.Err == nil && !a.JSON:
			would := ""
			if c.DryRun && l.Did != transfer.Unchanged {
				would = "would be "
			}
			a.report(would + string(l.Did) + " " + output.CopiedName(l) + "\n")
			if l.Left > 0 {
				a.printNote(todo.Plural(l.Left, "tool call") + " left behind: what may yet run does so in one store only; --move takes all of a session")
			}
		}
	}
	if failed != nil && a.committed {
		// The exit code is about this list, which is unchanged; others were copied.
		a.printNote("the others were copied")
	}
	return failed
}
