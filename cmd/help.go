package cmd

import (
	"slices"

	"onward/internal/cli"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" complete:"shown help" help:"A command, such as todo add, or a topic."`
}

// Run shows the help of a command, a topic, or the whole.
func (c *helpCmd) Run(a *app) error {
	p := a.program()
	if len(c.Command) == 1 {
		if page, found := p.Topic(c.Command[0], a.helpWidth()); found {
			a.print(page)
			return nil
		}
	}
	if slices.Equal(c.Command, []string{"topics"}) {
		a.print(p.TopicList(a.helpWidth()))
		return nil
	}
	if found, _ := cli.FindPath(p.Commands, c.Command); found == nil && len(c.Command) > 0 {
		return p.NoPageError(c.Command)
	}
	a.print(p.Help(c.Command, a.helpWidth()))
	return nil
}
