package cli

import (
	"io/fs"
	"strings"

	"onward/internal/render"
)

// Program is what the command line shows of its program. The caller fills it in
// where it is needed, which is nowhere on the way of a plain command.
type Program struct {
	Name     string
	About    string // one sentence
	Details  string // a paragraph for the man page
	Version  string
	Commands []Command
	Flags    []Flag
	Manual   fs.FS // a page for each command, and in "topics" one for each topic
	Exits    []Exit
	Meant    func(path string) []string    // the commands that people mean by a path that names none; may be nil
	Tables   map[string]func() [][2]string // what a topic shows in the place of the line "(NAME)"
}

// Exit is an exit code.
type Exit struct {
	Code    int
	Name    string
	Meaning string
}

// NeedsCommand is the error about a group that is named without one of its commands.
func (p *Program) NeedsCommand(line Line) error {
	names := render.Each(line.Command.Sub, func(_ int, c *Command) string { return c.Name })
	path := strings.Join(line.Path, " ")
	return usageError(path+" needs a command: "+strings.Join(names, ", "), "see `"+p.Name+" "+path+" --help`")
}

// leaves yields the commands that can be run.
func (p *Program) leaves() func(yield func(string, *Command) bool) {
	return func(yield func(string, *Command) bool) {
		for path, c := range All(p.Commands) {
			if c.Sub == nil && !yield(path, c) {
				return
			}
		}
	}
}
