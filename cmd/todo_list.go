package cmd

import (
	"fmt"
	"strconv"

	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/output"
	"onward/internal/overview"
	"onward/internal/todo"
)

type todoListCmd struct {
	pagerFlags `embed:""`

	Limit int  `default:"20" placeholder:"N" help:"How many at most; default 20, 0 is all."`
	Pick  bool `help:"Ask for the number of the list to load; only on a terminal."`
}

func (c *todoListCmd) all() bool { return !c.Pick }

// Run shows the saved lists with their sessions.
func (c *todoListCmd) Run(a *app, t find.List) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	if c.Pick && (a.JSON || !isTerminal(a.in)) {
		return cli.WithHint(cli.Usagef("--pick needs a terminal"), "load one with `onward todo load N`")
	}
	config := find.ReadConfig().Caching()
	if _, err := config.Settings(nil, nil); err != nil {
		return err
	}
	var rows []live.Row
	saved, err := t.Store.SavedLists(t.Name)
	if err != nil {
		return err
	}
	more := overview.EachRow(t, saved, c.Limit, config, func(row *live.Row) bool {
		rows = append(rows, *row)
		return true
	})
	c.NoPager = c.NoPager || c.Pick // the question is below the table
	c.show(a, output.ListsJSON(rows, more, output.RowJSON), output.ListsText(rows, a.style(), t.Now.Time()))
	a.reportHidden(rows, more)
	switch {
	case len(rows) == 0 || a.JSON:
	case c.Pick:
		return a.pick(t)
	case isTerminal(a.rawOut):
		a.out.Flush() // both streams are one screen
		a.hint("`onward todo load N` loads one of them into this session")
	}
	return nil
}

// checkLimit returns an error for a limit that makes no sense.
func checkLimit(n int) error {
	if n < 0 {
		return &todo.UnknownWordError{Text: fmt.Sprintf("--limit %d: it is a number of lists, or 0 for all", n), Word: strconv.Itoa(n), Known: []string{"0"}}
	}
	return nil
}

// reportHidden reports lists that are not shown, and damaged ones. With --json, the document has these.
func (a *app) reportHidden(rows []live.Row, more int) {
	if a.JSON {
		return
	}
	if more > 0 {
		verb := "are"
		if more == 1 {
			verb = "is"
		}
		a.printNote(fmt.Sprintf("%d more %s saved; --limit 0 shows all", more, verb))
	}
	for i := range rows {
		if rows[i].Err != nil {
			a.printNote(rows[i].Err.Error())
			a.hint(hintOf(failures(), rows[i].Err))
		}
	}
}

// pick asks for a number and loads that list; an empty answer loads none.
func (a *app) pick(t find.List) error {
	a.print("Number of the list to load into this session, or nothing: ")
	a.out.Flush()
	line, err := a.answer()
	if line == "" || err != nil {
		return nil
	}
	return (&todoLoadCmd{List: line}).Run(a, t)
}
