package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/kballard/go-shellquote"

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

	Format  string `placeholder:"F" complete:"=markdown|json|csv" help:"markdown, json or csv; default: by the file extension, else markdown. With --in-place, a format of todo import."`
	InPlace bool   `needs:"output" help:"Write only the statuses into a file that was imported; with --force, also reopen what only the file has closed."`

	fileFlags `embed:""`
	planFlags `embed:""`
}

// Run writes the list in a form that other programs read.
func (c *todoExportCmd) Run(a *app, t find.List, doc *session.Document) error {
	switch {
	case c.InPlace:
		return c.writeInPlace(a, t, doc)
	case c.Tag != "" || c.Dash != "":
		return cli.Usagef("--tag and --dash require --in-place")
	}
	format, err := c.formatFor(a, c.Format, "markdown", "json", "csv")
	if err != nil {
		return err
	}
	items := doc.Current()
	if len(items) == 0 {
		if info, err := os.Stat(c.Output); c.toFile() && err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return cli.WithHint(cli.Failf(cli.ExitNotFound, "write %q: %s, and the file is not empty", c.Output, live.WhyNoItems(doc)),
				"`onward todo list` shows the saved lists; delete the file if you no longer need it")
		}
		a.printNote(live.WhyNoItems(doc))
	}
	var data []byte
	switch format {
	case "json":
		data = output.TodosJSON(t.Name, doc, allIndices(doc))
	case "csv":
		// A file gets the text unchanged. On a screen, a text must not move the cursor, and in a log it must not be a command.
		var clean func(string) string
		switch {
		case c.toFile():
		case isTerminal(a.rawOut):
			clean = render.Text
		default:
			clean = render.EscapeCICommands
		}
		data = []byte(exchange.WriteCSV(items, clean))
	default:
		data = []byte(exchange.WriteMarkdown(items))
	}
	err = c.deliver(a, t.Name, data, "exported "+todo.Plural(len(items), "item"))
	if errors.Is(err, fs.ErrExist) {
		err = cli.WithHint(err, "--in-place writes only the statuses into it; --force replaces it")
	}
	return err
}

// writeInPlace writes the statuses of the list into a file, and leaves the rest of it as it is.
func (c *todoExportCmd) writeInPlace(a *app, t find.List, doc *session.Document) error {
	if !c.toFile() {
		return cli.Usagef("--in-place requires -o with a file")
	}
	source, err := c.source(c.Output, c.Format)
	if err != nil {
		return err
	}
	if info, err := os.Stat(c.Output); err != nil {
		return cli.WithHint(fileError("read", c.Output, err), "--in-place changes a file that is there; without it, the list is written into a new one")
	} else if info.IsDir() {
		return cli.Usagef("write %q: it is a folder", c.Output)
	}
	items := doc.Current()
	if len(items) == 0 {
		return cli.WithHint(cli.Failf(cli.ExitNotFound, "write %q: %s", c.Output, live.WhyNoItems(doc)), "`onward todo list` shows the saved lists")
	}
	data, err := readWhole(c.Output, maxImport)
	if err != nil {
		return err
	}
	did, err := importable().Update(source, data, items, c.Force)
	var conflict *exchange.ConflictError
	switch again := "`onward" + a.sameListFlags() + " todo import --replace " + shellquote.Join(c.Output) + "`"; {
	case errors.As(err, &conflict):
		return cli.WithHint(cli.Failf(cli.ExitData, "write %q: %w", c.Output, err), again+" takes the statuses of the file; --force writes those of the list")
	case errors.Is(err, exchange.ErrNotWritten):
		return cli.WithHint(cli.Usagef("write %q: %v", c.Output, err), "--in-place writes into task-master's tasks.json, prd.json and markdown; beads has `bd close ID`")
	case errors.Is(err, exchange.ErrNoCommonItem):
		return cli.WithHint(fmt.Errorf("write %q: %w", c.Output, err), again+" replaces the list with it")
	case err != nil:
		return hintListFlag(fmt.Errorf("write %q: %w", c.Output, err))
	}
	if did.Changed > 0 {
		if now, err := readWhole(c.Output, maxImport); err != nil || !bytes.Equal(now, data) {
			return cli.WithHint(cli.Failf(cli.ExitBusy, "write %q: it was changed at the same moment", c.Output), "run the command again")
		}
		if err := writeFile(c.Output, did.Data, true); err != nil {
			return err
		}
	}
	if a.JSON {
		a.writeJSON(output.PathJSON(t.Name, c.Output))
	}
	notes := did.Notes(c.Output)
	if !a.JSON || len(notes) > 1 {
		a.printNote(strings.Join(notes, "; "))
	}
	return nil
}
