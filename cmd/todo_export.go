package cmd

import (
	"os"

	"onward/internal/cli"
	"onward/internal/exchange"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoExportCmd struct {
	ofSaved `embed:""`

	Format string `placeholder:"F" complete:"=markdown|json|csv" help:"markdown, json or csv; default: by the ending of the file's name, else markdown."`

	fileFlags `embed:""`
}

// Run writes the list in a form that other programs read.
func (c *todoExportCmd) Run(a *app, t find.List, doc *session.Document) error {
	format, err := c.formatFor(a, c.Format, "markdown", "json", "csv")
	if err != nil {
		return err
	}
	items := doc.Current()
	if len(items) == 0 {
		if info, err := os.Stat(c.Output); c.toFile() && err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return cli.Hinted(cli.Failf(cli.ExitNotFound, "write %q: %s, and the file is not empty", c.Output, live.NoList(doc)),
				"`onward todo list` shows the saved lists; delete the file if you no longer need it")
		}
		a.printNote(live.NoList(doc))
	}
	var data []byte
	switch format {
	case "json":
		data = output.TodosJSON(t.Name, doc, everything(doc))
	case "csv":
		// A file gets the text unchanged. On a screen, a text must not move the cursor, and in a log it must not be a command.
		var clean func(string) string
		switch {
		case c.toFile():
		case isTerminal(a.rawOut):
			clean = render.Text
		default:
			clean = render.Inert
		}
		data = []byte(exchange.WriteCSV(items, clean))
	default:
		data = []byte(exchange.WriteMarkdown(items))
	}
	return c.deliver(a, t.Name, data, "exported "+todo.Plural(len(items), "item"))
}
