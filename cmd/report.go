package cmd

import (
	"slices"
	"time"

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
func (c *reportCmd) Run(a *app, t target) error {
	format, err := c.formatFor(a, c.Format, "markdown", "html", "json")
	if err != nil {
		return err
	}
	names, err := c.names(a, t)
	if err != nil {
		return err
	}
	data, err := t.report(names, format)
	switch {
	case err != nil:
		return err
	case format == "markdown" && !c.toFile():
		c.page(a, string(data))
		return nil
	}
	return c.deliver(a, t.name, data, "wrote the report on "+todo.Plural(len(names), "list"))
}

// report writes the report on sessions.
func (t target) report(names []session.Name, format string) ([]byte, error) {
	r := report.Report{Schema: report.Schema, At: t.now}
	config := readConfigFile().remembering()
	lists := render.Each(names, func(_ int, n *session.Name) session.Saved { return session.Saved{Name: *n} })
	for some := range slices.Chunk(lists, session.AtOnce(0)) {
		ahead := t.ahead(some, config)
		for _, list := range some {
			s, err := ahead.reportOn(list.Name, config)
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
		a.printNote(live.NoList(nil))
		return []session.Name{t.name}, nil
	}
	return t.store.Named([]string{t.name.String()})
}

// reportOn reads the data of one list from the store.
func (t target) reportOn(name session.Name, config *configFile) (report.Session, error) {
	t.name = name
	src := report.Source{Name: name}
	var err error
	if src.Doc, err = t.store.Load(name); err != nil {
		return report.Session{}, err
	}
	if src.Entries, err = t.store.Record(name); err != nil {
		return report.Session{}, err
	}
	if src.Calls, err = t.calls().Records(name, t.now); err != nil {
		return report.Session{}, err
	}
	if src.Doc != nil {
		src.Doc.Release("", t.store.Gone, t.now)
	}
	got, standing, err := t.stand(config, src.Doc, false)
	src.Decision, src.Standing = got.Decision, standing
	return report.Of(src), err
}
