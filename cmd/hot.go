package cmd

import "strings"

// hot recognises the plain forms of the commands that loops, hooks and models start all the time,
// and answers them without building the grammar, which costs more than the command itself.
// Anything else is nil and goes to kong. A script proves that both ways give the same bytes and codes.
func hot(a *app) runner {
	command, rest := plain(a.args)
	if command == nil {
		return nil
	}
	g := a.globals
	for ; len(rest) > 0; rest = rest[1:] {
		switch arg := rest[0]; arg {
		case "--json":
			g.JSON = true
		case "--quiet", "-q":
			g.Quiet = true
		case "--session", "-s":
			if len(rest) < 2 || strings.HasPrefix(rest[1], "-") {
				return nil
			}
			g.Session = &rest[1]
			rest = rest[1:]
		default:
			if !command.take(arg) {
				return nil
			}
		}
	}
	a.adopt(g)
	return command
}

// plainCommand is a command that can take simple arguments itself.
type plainCommand interface {
	runner
	take(arg string) bool // false: the argument is for the grammar
}

// plain gives the hot command that the first arguments name, and the arguments behind them.
func plain(args []string) (plainCommand, []string) {
	switch {
	case len(args) >= 1 && args[0] == "check-continue":
		return &checkContinueCmd{}, args[1:]
	case len(args) >= 2 && args[0] == "hook" && !strings.HasPrefix(args[1], "-"):
		return &hookCmd{Agent: args[1]}, args[2:]
	case len(args) >= 2 && args[0] == "todo" && args[1] == "show":
		return &todoShowCmd{}, args[2:]
	case len(args) >= 3 && args[0] == "todo" && args[1] == "add":
		return &todoAddCmd{}, args[2:]
	case len(args) >= 3 && args[0] == "set" && negative(args[2]):
		// A negative number is no flag; that it is out of range is for the setting to say.
		return &setCmd{Key: args[1], Value: args[2]}, args[3:]
	}
	return nil, nil
}

func negative(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && '0' <= arg[1] && arg[1] <= '9'
}

func (c *checkContinueCmd) take(arg string) bool {
	switch arg {
	case "--dry-run":
		c.DryRun = true
	case "--wait":
		c.Wait = true
	default:
		return false
	}
	return true
}

func (c *hookCmd) take(arg string) bool {
	c.Context = c.Context || arg == "--context"
	return arg == "--context"
}

func (c *setCmd) take(string) bool { return false }

func (c *todoShowCmd) take(string) bool { return false }

func (c *todoAddCmd) take(arg string) bool {
	c.Args = append(c.Args, arg)
	return !strings.HasPrefix(arg, "-")
}
