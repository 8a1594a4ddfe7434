package cmd

import (
	"fmt"
	"slices"
	"strings"

	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoAssertCmd struct {
	Status      []string `placeholder:"S" complete:"status" help:"Which statuses count as open; default pending, in_progress, blocked."`
	Allow       []string `placeholder:"S" complete:"status" help:"Statuses that do not count after all."`
	RequireList bool     `help:"No list is a failure."`
	Format      string   `placeholder:"F" complete:"=text|github|junit" help:"text, github or junit."`
}

// Run exits with 0 if nothing is open, and with 1 if something is.
func (c *todoAssertCmd) Run(a *app) error {
	count, err := statuses(c.Status, []todo.Status{todo.Pending, todo.InProgress, todo.Blocked})
	if err != nil {
		return err
	}
	allowed, err := statuses(c.Allow, nil)
	if err != nil {
		return err
	}
	switch {
	case a.JSON && c.Format != "":
		return usagef("--json and --format %s exclude each other", c.Format)
	case c.Format != "" && !slices.Contains([]string{"text", "github", "junit"}, c.Format):
		return usagef("--format must be text, github or junit, not %q", c.Format)
	}
	t, doc, err := a.load()
	if err != nil {
		return err
	}
	if err := a.everWas(t, doc); err != nil {
		return err
	}
	items := current(doc)
	open := todo.Select(items, slices.DeleteFunc(count, func(s todo.Status) bool { return slices.Contains(allowed, s) }))
	missing := c.RequireList && (doc == nil || !doc.Todos.Active)
	ok := len(open) == 0 && !missing
	switch {
	case a.JSON:
		a.write(render.AssertionJSON(t.name, doc, open, ok))
	case missing && (c.Format == "" || c.Format == "text"):
		a.note(strings.TrimSpace(render.NoListAssertion(t.name, "")))
	case missing:
		a.print(render.NoListAssertion(t.name, c.Format))
	default:
		a.print(render.Assertion(t.name, items, open, c.Format, a.style()))
		if doc == nil {
			a.note(strings.TrimSpace(render.NoListAssertion(t.name, "")))
		}
	}
	if !ok {
		return answer(exitNo)
	}
	return nil
}

// everWas refuses a session that --session names and that never was: the name is misspelt.
// The environment may name one that no agent has written to yet.
func (a *app) everWas(t target, doc *session.Document) error {
	if a.Session == nil || doc != nil {
		return nil
	}
	if main, err := t.parent(); main != nil || err != nil {
		return err
	}
	return fmt.Errorf("%w: %q", session.ErrNoSession, t.name.Session)
}

func current(doc *session.Document) []todo.Item {
	if doc == nil {
		return nil
	}
	return doc.Todos.Current()
}

func statuses(words []string, none []todo.Status) ([]todo.Status, error) {
	if len(words) == 0 {
		return none, nil
	}
	out := make([]todo.Status, len(words))
	for i, w := range words {
		var err error
		if out[i], err = todo.StatusNamed(w); err != nil {
			return nil, err
		}
	}
	return out, nil
}
