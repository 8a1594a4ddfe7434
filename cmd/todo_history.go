package cmd

import (
	"time"

	"onward/internal/find"
	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/session"
)

type todoHistoryCmd struct {
	ofSaved `embed:""`

	pagerFlags `embed:""`
}

// Run shows the changes of the list, newest first.
func (c *todoHistoryCmd) Run(a *app, t find.List) error {
	entries, err := t.Store.History(t.Name)
	if err != nil {
		return err
	}
	entries = entries[:min(len(entries), session.MaxUndo)]
	c.show(a, historyJSON(t.Name, entries), historyText(entries, a.style(), t.Now.Time()))
	return nil
}

// historyText shows the changes of a list: when, by whom, what; if a change was about one item, also which.
func historyText(entries []session.Entry, style render.Style, now time.Time) string {
	if len(entries) == 0 {
		return "no changes\n"
	}
	return style.Table(render.Each(entries, func(_ int, e *session.Entry) []string {
		what := render.Text(e.Change)
		if len(e.Touched) == 1 {
			what += ": " + render.Text(e.Touched[0].Content)
		}
		return []string{render.Age(e.At, now), render.Text(e.By), what}
	}), 2)
}

// historyJSON is onward/history/v1: the changes of a list, newest first.
func historyJSON(name session.Name, entries []session.Entry) any {
	return document("onward/history/v1", name, "changes", render.Each(entries, func(_ int, e *session.Entry) members {
		return members{"rev", e.Rev, "at", e.At, "by", e.By, "change", e.Change, "items", object.ListOf(e.Touched)}
	}))
}
