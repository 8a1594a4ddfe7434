package cmd

import (
	"slices"
	"strings"

	"onward/internal/cli"
)

// plainCommand is a command that loops, hooks and models start all the time. It
// fills in its plain forms itself, because describing its flags to the grammar
// costs more than the command. A script proves that both ways produce the same
// bytes and codes.
type plainCommand interface {
	plain(*cli.Line) bool // returns false if the grammar must parse the arguments
}

// plain returns the command if the arguments are plain, else nil.
func (a *app) plain() any {
	if !a.line.IsPlain() || a.Help || a.Version || a.Color != nil {
		return nil
	}
	c, ok := a.line.Command.Make().(plainCommand)
	if !ok || !c.plain(&a.line) {
		return nil
	}
	return c
}

func isFlag(arg string) bool { return strings.HasPrefix(arg, "-") }

// needsGrammar reports whether an argument is a flag, or is empty, which the grammar refuses by the argument's name.
func needsGrammar(arg string) bool { return arg == "" || isFlag(arg) }

func (c *checkContinueCmd) plain(line *cli.Line) bool {
	rest, err := line.TakeFlags([]cli.Flag{{Name: "dry-run", On: &c.DryRun}, {Name: "wait", On: &c.Wait}})
	return err == nil && len(rest) == 0
}

// plain finds the agent also if it does not know the other arguments, so that a hook that fails knows its agent.
func (c *hookCmd) plain(line *cli.Line) bool {
	rest, err := c.take(line)
	if i := slices.IndexFunc(rest, func(arg string) bool { return !isFlag(arg) }); i >= 0 {
		c.Agent = rest[i]
	}
	return err == nil && len(rest) == 1 && c.Agent != ""
}

// take takes the flags, and returns the other arguments.
func (c *hookCmd) take(line *cli.Line) (rest []string, err error) {
	return line.TakeFlags([]cli.Flag{
		{Name: "own-code", On: &c.OwnCode},
		{Name: "context", On: &c.Context},
		{Name: "plugin", On: &c.Plugin},
		{Name: "context-text", Text: &c.ContextText},
		{Name: "limit", Text: &c.Limit},
	})
}

// plain accepts a negative number, which is not a flag; the setting reports that it is out of range.
func (c *setCmd) plain(line *cli.Line) bool {
	args := line.Args
	if len(args) != 2 || needsGrammar(args[0]) || needsGrammar(args[1]) && !negative(args[1]) {
		return false
	}
	c.Key, c.Value = args[0], args[1]
	return true
}

func negative(arg string) bool { return len(arg) > 1 && '0' <= arg[1] && arg[1] <= '9' }

func (c *todoShowCmd) plain(line *cli.Line) bool { return len(line.Args) == 0 }

func (c *todoListCmd) plain(line *cli.Line) bool {
	c.Limit = 20
	return len(line.Args) == 0
}

func (c *todoStatusCmd) plain(line *cli.Line) bool {
	c.Ranges = line.Args
	return len(c.Ranges) > 0 && !slices.ContainsFunc(c.Ranges, needsGrammar)
}

func (c *todoAddCmd) plain(line *cli.Line) bool {
	c.Args = line.Args
	return len(c.Args) > 0 && !slices.ContainsFunc(c.Args, needsGrammar)
}
