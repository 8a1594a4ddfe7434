package cmd

import (
	"fmt"

	"onward/internal/exchange"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoShowCmd struct {
	ofSaved `embed:""`

	pagerFlags `embed:""`

	At     string   `arg:"" name:"pos" optional:"" complete:"position" help:"Show only this item, with all its fields."`
	Open   bool     `without:"pos" help:"Only items that are open."`
	Status []string `placeholder:"S" without:"pos" complete:"status" help:"Only items with this status; repeatable."`
	Match  string   `placeholder:"TEXT" without:"pos" help:"Only items that contain this in their text or reason."`
	IDs    bool     `name:"ids" without:"pos" help:"Show the id of each item."`
	Format string   `placeholder:"F" complete:"=table|plain|markdown|json" help:"table, plain, markdown or json."`
}

// Run shows the current list as the model sees it, or the part that the user asks for.
func (c *todoShowCmd) Run(a *app, t find.List, doc *session.Document) error {
	format, err := a.format(c.Format, false, "table", "plain", "markdown", "json")
	if err != nil {
		return err
	}
	filter, err := todo.ParseFilter(c.Open, c.Status, c.Match)
	if err != nil {
		return err
	}
	items := doc.Current()
	shown := filter.Select(items)
	if c.At != "" {
		at, err := todo.ParsePosition(c.At)
		if err != nil {
			return err
		}
		ref, err := todo.Find(items, at)
		if err != nil {
			return err
		}
		if shown = []int{ref.Item}; format == "" || format == "table" {
			held := t.Store.ClaimHolds(t.Name, &items[ref.Item], t.Now)
			a.print(render.Item(items, ref, held, a.style(), t.Now.Time()))
			return nil
		}
	}
	switch format {
	case "json":
		a.write(output.TodosJSON(t.Name, doc, shown))
	case "plain":
		a.print(render.PlainList(items, shown))
	case "markdown":
		a.print(exchange.WriteMarkdown(selected(items, shown)))
	default:
		if len(items) == 0 {
			a.print(live.WhyNoItems(doc) + "\n")
			if doc == nil && !a.Quiet {
				a.out.Flush()
				a.printError("hint: `onward todo add TEXT` starts a list")
			}
			return nil
		}
		c.page(a, render.List(items, shown, c.IDs, a.style()))
		if len(shown) < len(items) {
			a.printNote(fmt.Sprintf("%d of %d items match", len(shown), len(items)))
		}
	}
	return nil
}

// allIndices selects all items of a list.
func allIndices(doc *session.Document) []int { return todo.Filter{}.Select(doc.Current()) }

func selected(items []todo.Item, shown []int) []todo.Item {
	out := make([]todo.Item, len(shown))
	for i, at := range shown {
		out[i] = items[at]
	}
	return out
}
