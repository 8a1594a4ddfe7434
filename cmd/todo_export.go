package cmd

import (
	"fmt"
	"slices"

	"onward/internal/exchange"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoExportCmd struct {
	Format string `placeholder:"F" complete:"=markdown|json|csv" help:"markdown, json or csv; default markdown."`
	Output string `short:"o" placeholder:"FILE" complete:"file" help:"Write to a file, whole or not at all, instead of stdout."`
	Force  bool   `needs:"output" help:"Replace the file where there is one."`
}

// Run writes the list in a form that other programs read.
func (c *todoExportCmd) Run(a *app, t target, doc *session.Document) error {
	format := c.Format
	toFile := c.Output != "" && c.Output != "-"
	switch {
	case format == "" && a.JSON:
		format = "json"
	case format == "":
		format = "markdown"
	case !slices.Contains([]string{"markdown", "json", "csv"}, format):
		return usagef("--format must be markdown, json or csv, not %q", format)
	case a.JSON && format != "json" && !toFile:
		return usagef("--json and --format %s exclude each other", format)
	}
	items := current(doc)
	if len(items) == 0 {
		a.note(noList(doc))
	}
	var data []byte
	switch format {
	case "json":
		data = todosJSON(t.name, doc, everything(doc))
	case "csv":
		// A file is data; what a person sees on a screen must not move the cursor.
		var clean func(string) string
		if !toFile && isTerminal(a.rawOut) {
			clean = render.Text
		}
		data = []byte(exchange.CSV(items, clean))
	default:
		data = []byte(exchange.WriteMarkdown(items))
	}
	if !toFile {
		a.write(data)
		return nil
	}
	if err := writeFile(c.Output, data, c.Force); err != nil {
		return err
	}
	if a.JSON {
		a.write(pathJSON(t.name, c.Output))
		return nil
	}
	a.note(fmt.Sprintf("exported %s to %q", todo.Plural(len(items), "todo"), c.Output))
	return nil
}
