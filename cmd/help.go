package cmd

import (
	"slices"
	"strconv"
	"strings"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" complete:"shown help" help:"A command, such as todo add, or a topic: environment, exit-codes, files, positions or sessions."`
}

// Run shows the help of a command, a topic, or the whole.
func (c *helpCmd) Run(a *app) error {
	if len(c.Command) == 1 {
		if page, found := topic(c.Command[0]); found {
			h := helpWriter{width: a.helpWidth()}
			h.topic(page)
			a.print(h.String())
			return nil
		}
	}
	if path := strings.Join(c.Command, " "); path != "" && !known(commands(), c.Command) {
		return &usageError{"there is no command and no topic " + strconv.Quote(path), "see `onward --help`; the topics are " + strings.Join(topics(), ", ")}
	}
	return a.help(c.Command, exitOK)
}

// known reports whether words name a command of a table.
func known(table []command, words []string) bool {
	for _, c := range table {
		if c.name == words[0] || slices.Contains(strings.Split(c.alias, ","), words[0]) {
			return len(words) == 1 || known(c.sub, words[1:])
		}
	}
	return false
}
