package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onward/internal/ask"
	"onward/internal/render"
	"onward/internal/report"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

type reportCmd struct {
	Sessions []string `arg:"" optional:"" name:"session" complete:"session" help:"The sessions; default: the current one."`
	Format   string   `placeholder:"F" complete:"=html|markdown|json" help:"html, markdown or json; default: by the file's name, else markdown on a terminal and html in a file or pipe."`
	Output   string   `short:"o" placeholder:"FILE" complete:"file" help:"Write to a file, whole or not at all, instead of stdout."`
	Force    bool     `needs:"output" help:"Replace the file where there is one."`
}

// Run writes what was asked in sessions and what became of it.
func (c *reportCmd) Run(a *app) error {
	toFile := c.Output != "" && c.Output != "-"
	format, err := c.format(a, toFile)
	if err != nil {
		return err
	}
	t, err := a.target()
	if err != nil {
		return err
	}
	names, err := c.names(a, t)
	if err != nil {
		return err
	}
	r := report.Report{Schema: report.Schema, At: t.now}
	for _, name := range names {
		s, err := a.reportOn(t, name)
		if err != nil {
			return err
		}
		r.Sessions = append(r.Sessions, s)
	}
	var data []byte
	switch format {
	case "json":
		data = render.Encode(r)
	case "markdown":
		data = []byte(report.Markdown(r, time.Local))
	default:
		data = report.HTML(r, time.Local)
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
	a.note(fmt.Sprintf("wrote the report on %s to %q", todo.Plural(len(names), "list"), c.Output))
	return nil
}

// format is the one that was asked for, or that the name of the file stands for, or that suits who reads it.
func (c *reportCmd) format(a *app, toFile bool) (string, error) {
	formats := []string{"html", "markdown", "json"}
	switch {
	case c.Format != "" && !slices.Contains(formats, c.Format):
		return "", usagef("--format must be html, markdown or json, not %q", c.Format)
	case a.JSON && !toFile && c.Format != "" && c.Format != "json":
		return "", usagef("--json and --format %s exclude each other", c.Format)
	case c.Format != "":
		return c.Format, nil
	case toFile:
		switch strings.ToLower(filepath.Ext(c.Output)) {
		case ".md", ".markdown":
			return "markdown", nil
		case ".json":
			return "json", nil
		}
		return "html", nil
	case a.JSON:
		return "json", nil
	case isTerminal(a.rawOut):
		return "markdown", nil
	}
	return "html", nil
}

// names are the lists of the report: those of a session are its own and its sub-agents'.
func (c *reportCmd) names(a *app, t target) ([]session.Name, error) {
	if len(c.Sessions) > 0 {
		return t.store.Named(c.Sessions)
	}
	doc, err := t.store.Load(t.name)
	if err != nil {
		return nil, err
	}
	if err := a.everWas(t, doc); err != nil {
		return nil, err
	}
	if doc == nil {
		a.note(noList(nil))
	}
	names := []session.Name{t.name}
	lists, _, err := t.store.Lists(t.name, 0)
	for _, l := range lists {
		if t.name.Agent == "" && l.Name.Session == t.name.Session && l.Name != t.name {
			names = append(names, l.Name)
		}
	}
	return names, err
}

// reportOn gathers what the store has of one list.
func (a *app) reportOn(t target, name session.Name) (report.Session, error) {
	t.name = name
	src := report.Source{Name: name}
	var err error
	if src.Doc, err = t.store.Load(name); err != nil {
		return report.Session{}, err
	}
	if src.Entries, err = t.store.Record(name); err != nil {
		return report.Session{}, err
	}
	if src.Calls, err = (&schedule.Store{Backend: t.files.Backend}).Load(name); err != nil {
		return report.Session{}, err
	}
	if src.Doc != nil {
		src.Doc.Release("", t.store.Gone, t.now)
	}
	list := &askedList{a: a, target: t, idle: true}
	got, standing, err := (&ask.Question{List: list, Now: t.now, DryRun: true}).Stand(src.Doc, false)
	src.Decision, src.Standing = got.Decision, standing
	return report.Of(src, t.now), err
}
