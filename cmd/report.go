package cmd

import (
	"slices"
	"time"

	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/report"
	"onward/internal/session"
	"onward/internal/todo"
)

type reportCmd struct {
	Sessions []string `arg:"" optional:"" name:"session" complete:"session" help:"The sessions; default: the current one."`
	Format   string   `placeholder:"F" complete:"=html|markdown|json" help:"html, markdown or json; default: by the ending of the file's name, else markdown."`

	fileFlags  `embed:""`
	pagerFlags `embed:""`
}

// Run writes the report on sessions.
func (c *reportCmd) Run(a *app, t find.List) error {
	format, err := c.formatFor(a, c.Format, "markdown", "html", "json")
	if err != nil {
		return err
	}
	names, err := c.names(a, t)
	if err != nil {
		return err
	}
	data, err := writeReport(t, names, format)
	switch {
	case err != nil:
		return err
	case format == "markdown" && !c.toFile():
		c.page(a, string(data))
		return nil
	}
	return c.deliver(a, t.Name, data, "wrote the report on "+todo.Plural(len(names), "list"))
}

// report writes the report on sessions.
func writeReport(t find.List, names []session.Name, format string) ([]byte, error) {
	r := report.Report{Schema: report.Schema, At: t.Now}
	config := find.ReadConfig().Remembering()
	lists := render.Each(names, func(_ int, n *session.Name) session.Saved { return session.Saved{Name: *n} })
	for some := range slices.Chunk(lists, session.AtOnce(0)) {
		ahead := t.Prefetched(some, config)
		for _, list := range some {
			s, err := reportOf(ahead, list.Name, config)
			if err != nil {
				return nil, err
			}
			r.Sessions = append(r.Sessions, s)
		}
	}
	switch format {
	case "json":
		return render.Encode(r), nil
	case "markdown":
		return []byte(report.Markdown(r, time.Local)), nil
	default:
		return report.HTML(r, time.Local), nil
	}
}

// names are the lists of the report: each session's own list and those of its sub-agents.
func (c *reportCmd) names(a *app, t find.List) ([]session.Name, error) {
	if len(c.Sessions) > 0 {
		return t.Store.Named(c.Sessions)
	}
	doc, err := t.Store.Load(t.Name)
	if err != nil {
		return nil, err
	}
	if err := a.everWas(t, doc); err != nil {
		return nil, err
	}
	if doc == nil {
		a.printNote(live.NoList(nil))
		return []session.Name{t.Name}, nil
	}
	return t.Store.Named([]string{t.Name.String()})
}

// reportOn reads the data of one list from the store.
func reportOf(t find.List, name session.Name, config *find.Config) (report.Session, error) {
	t.Name = name
	src := report.Source{Name: name}
	var err error
	if src.Doc, err = t.Store.Load(name); err != nil {
		return report.Session{}, err
	}
	if src.Entries, err = t.Store.Record(name); err != nil {
		return report.Session{}, err
	}
	if src.Calls, err = t.Calls().Records(name, t.Now); err != nil {
		return report.Session{}, err
	}
	if src.Doc != nil {
		src.Doc.Release("", t.Store.Gone, t.Now)
	}
	got, standing, err := examine(t, config, src.Doc, false)
	src.Decision, src.Standing = got.Decision, standing
	return report.Of(src), err
}
