package cmd

import (
	"onward/internal/exchange"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoExportCmd struct {
	Format string `placeholder:"F" complete:"=markdown|json|csv" help:"markdown, json or csv; default markdown."`

	fileFlags `embed:""`
}

// Run writes the list in a form that other programs read.
func (c *todoExportCmd) Run(a *app, t target, doc *session.Document) error {
	format, err := a.format(c.Format, c.toFile(), "markdown", "json", "csv")
	if err != nil {
		return err
	}
	if format == "" && a.JSON {
		format = "json" // as in the file whose name the answer has
	}
	items := doc.Current()
	if len(items) == 0 {
		a.printNote(live.NoList(doc))
	}
	var data []byte
	switch format {
	case "json":
		data = todosJSON(t.name, doc, everything(doc))
	case "csv":
		// A file is data; what the user sees on a screen must not move the cursor.
		var clean func(string) string
		if !c.toFile() && isTerminal(a.rawOut) {
			clean = render.Text
		}
		data = []byte(exchange.CSV(items, clean))
	default:
		data = []byte(exchange.WriteMarkdown(items))
	}
	return c.deliver(a, t.name, data, "exported "+todo.Plural(len(items), "item"))
}
