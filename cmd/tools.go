package cmd

import (
	"fmt"
	"strings"
	"time"

	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type toolsListCmd struct{ ofAll }

// Run lists the tools that can be called. A model is offered todo_pause only while onward keeps it going.
func (c *toolsListCmd) Run(a *app, t find.List, doc *session.Document) error {
	tools, err := a.tools()
	if err != nil {
		return err
	}
	continues, err := t.CanContinue(doc)
	if err != nil {
		return err
	}
	tools = tools.Offered(continues)
	a.show(output.ToolsJSON(tools), output.ToolsText(tools, a.style()))
	return nil
}

type toolsCheckCmd struct{}

// Run checks whether the declarations can be read, are trusted, and name programs that exist.
// Exit 1 if one would not work, 78 if a file is invalid.
func (c *toolsCheckCmd) Run(a *app) error {
	files, err := toolFiles()
	if err != nil {
		return err
	}
	tools, problems, err := files.DeclaredTools()
	if err != nil {
		return err
	}
	parameters := tool.InquireParameters(tools)
	if err := answerInquiry(parameters); err != nil {
		return err
	}
	problems = append(problems, parameters.IgnoredKeywords()...)
	for i := range tools {
		if p := find.WhyUnstartable(&tools[i]); p != "" {
			problems = append(problems, p)
		}
	}
	text := todo.Plural(len(tools), "tool") + " declared\n"
	for _, p := range problems {
		text += render.Text(p) + "\n"
	}
	a.show(output.Members{"schema", "onward/tools-check/v1", "ok", len(problems) == 0, "tools", len(tools), "problems", problems}, text)
	if len(problems) > 0 {
		return cli.ExitCode(cli.ExitNo)
	}
	return nil
}

type toolsTrustCmd struct {
	Gate bool `help:"Trust the gates of the session and its items instead."`
}

// Run trusts the project's declarations, or the gate of the session, in their present form.
func (c *toolsTrustCmd) Run(a *app) error {
	switch {
	case c.Gate:
		return a.trustSavedGate()
	case a.Store != nil:
		return a.trustStore()
	}
	wait, err := a.Wait()
	if err != nil {
		return err
	}
	files, err := toolFiles()
	if err != nil {
		return err
	}
	tools, paths, err := files.Trust(find.ConfigStore(wait), time.Now())
	if err != nil {
		return err
	}
	a.committed = true
	text := ""
	for _, path := range paths {
		text += fmt.Sprintf("trusted %s\n", render.Text(path))
	}
	for i := range tools {
		text += fmt.Sprintf("  %s  %s\n", render.Text(tools[i].Name), render.Text(strings.Join(tools[i].Command, " ")))
	}
	a.tell(output.ToolsJSON(tools), text)
	return nil
}

// trustStore lets what other users write to the store that --store names run and speak as this one.
func (a *app) trustStore() error {
	s, err := a.Storage()
	if err != nil {
		return err
	}
	if err := s.TrustOtherUsers(); err != nil {
		return err
	}
	a.committed = true
	a.tell(output.ToolsJSON(nil), "trusted the store "+render.Text(s.Address.Text)+"\n  what other users write there runs and speaks as you\n")
	return nil
}
