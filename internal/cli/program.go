package cli

import (
	"io/fs"
	"strings"

	"onward/internal/render"
)

// Program describes a program for its help and its errors. The caller makes it only
// when one of them is shown, so that it costs a plain command nothing.
type Program struct {
	Name         string
	About        string // one sentence
	Example      string // of a command line, without the name
	Alone        string // what the name alone does, in a sentence; may be empty
	Details      string // a paragraph for the man page
	Version      string
	Commands     []Command
	Flags        []Flag
	Manual       fs.FS // a page for each command, and in "topics" one for each topic
	Exits        []Exit
	MeantCommand func(path string) []string    // the commands that users mean by a path that does not exist; may be nil
	Tables       map[string]func() [][2]string // the rows that a topic shows instead of the line "(NAME)"
}

// Exit is an exit code.
type Exit struct {
	Code    int
	Name    string
	Meaning string
}

// NeedsCommand returns the error about a group without one of its commands.
func (p *Program) NeedsCommand(line Line) error {
	names := render.Map(line.Command.Sub, func(_ int, c *Command) string { return c.Name })
	path := strings.Join(line.Path, " ")
	return usageError(path+" needs a command: "+strings.Join(names, ", "), "see `"+p.Name+" "+path+" --help`")
}

// leaves yields the commands that can be run, which are not groups.
func (p *Program) leaves() func(yield func(string, *Command) bool) {
	return func(yield func(string, *Command) bool) {
		for path, c := range All(p.Commands) {
			if c.Sub == nil && !yield(path, c) {
				return
			}
		}
	}
}
