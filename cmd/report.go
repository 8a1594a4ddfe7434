package cmd

import (
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/overview"
	"onward/internal/session"
	"onward/internal/todo"
)

type reportCmd struct {
	Sessions []string `arg:"" optional:"" name:"session" complete:"session" help:"The sessions; default: the current one."`
	Format   string   `placeholder:"F" complete:"=html|markdown|json" help:"html, markdown or json; default: by the file extension, else markdown."`

	fileFlags  `embed:""`
	pagerFlags `embed:""`
}

func (c *reportCmd) all() bool { return len(c.Sessions) > 0 }

// Run writes the report on sessions.
func (c *reportCmd) Run(a *app, t find.List) error {
	format, err := c.formatFor(a, c.Format, "markdown", "html", "json")
	if err != nil {
		return err
	}
	if format == "markdown" && c.Format == "" && !c.toFile() && isTerminal(a.rawOut) {
		format = "text"
	}
	names, err := c.names(a, t)
	if err != nil {
		return err
	}
	data, err := overview.Report(t, names, format)
	switch {
	case err != nil:
		return err
	case format == "text" || format == "markdown" && !c.toFile():
		c.page(a, string(data))
		return nil
	}
	return c.deliver(a, t.Name, data, "wrote the report on "+todo.Plural(len(names), "list"))
}

// names are the lists of the report: each session's own list and those of its sub-agents.
func (c *reportCmd) names(a *app, t find.List) ([]session.Name, error) {
	if len(c.Sessions) > 0 {
		return t.Store.ListsNamed(c.Sessions)
	}
	doc, err := t.Store.Load(t.Name)
	if err != nil {
		return nil, err
	}
	if err := a.checkEverExisted(t, doc); err != nil {
		return nil, err
	}
	if doc == nil {
		a.printNote(live.WhyNoItems(nil))
		return []session.Name{t.Name}, nil
	}
	return t.Store.ListsNamed([]string{t.Name.String()})
}
