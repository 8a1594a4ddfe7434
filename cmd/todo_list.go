package cmd

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"onward/internal/render"
	"onward/internal/session"
)

// listCmd is `todo list` and `session list`.
type listCmd struct {
	pagerFlags `embed:""`

	Limit int  `default:"20" placeholder:"N" help:"How many at most; default 20, 0 is all."`
	Pick  bool `help:"Ask for the number of the list to load; only on a terminal."`
}

// Run shows the saved lists with their sessions.
func (c *listCmd) Run(a *app) error {
	if c.Limit < 0 {
		return usagef("--limit %d: it is a number of lists, or 0 for all", c.Limit)
	}
	if c.Pick && (a.JSON || !isTerminal(a.in)) {
		return &usageError{Message: "--pick asks on a terminal, and there is none", Next: "load one with `onward todo load N`"}
	}
	t, err := a.target()
	if err != nil {
		return err
	}
	lists, more, err := t.store.Lists(t.name, c.Limit)
	if err != nil {
		return err
	}
	if a.JSON {
		a.write(render.ListsJSON(lists, more))
		return nil
	}
	c.NoPager = c.NoPager || c.Pick // the question stands below the table
	c.page(a, render.Lists(lists, a.style(), t.now.Time()))
	a.noteLists(lists, more)
	if !c.Pick || len(lists) == 0 {
		return nil
	}
	return a.pick()
}

// noteLists tells of lists that are not shown, and of damaged ones.
func (a *app) noteLists(lists []session.Listed, more int) {
	if more > 0 {
		verb := "are"
		if more == 1 {
			verb = "is"
		}
		a.note(fmt.Sprintf("%d more %s saved; --limit 0 shows all", more, verb))
	}
	for _, l := range lists {
		if l.Err != nil {
			a.note(l.Err.Error())
		}
	}
}

// pick asks for a number and loads that list; an empty answer loads none.
func (a *app) pick() error {
	a.print("Number of the list to load into this session, or nothing: ")
	a.out.Flush()
	line, err := bufio.NewReader(io.LimitReader(a.in, 256)).ReadString('\n')
	if line = strings.TrimSpace(line); line == "" || err != nil {
		return nil
	}
	return (&todoLoadCmd{List: line}).Run(a)
}
