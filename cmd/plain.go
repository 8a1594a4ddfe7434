package cmd

import "strings"

// plainCommand is a command that loops, hooks and models start all the time. It
// fills in its plain forms itself, because describing its flags to the grammar
// costs more than the command. A script proves that both ways produce the same
// bytes and codes.
type plainCommand interface {
	plain(args []string) bool // false: the arguments are for the grammar
}

// plain returns the command where the arguments are plain, else nil.
func (a *app) plain() any {
	if !a.line.Plain() || a.Help || a.Version || a.Color != nil {
		return nil
	}
	c, ok := a.line.Command.Make().(plainCommand)
	if !ok || !c.plain(a.line.Args) {
		return nil
	}
	return c
}

func isFlag(arg string) bool { return strings.HasPrefix(arg, "-") }

func (c *checkContinueCmd) plain(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--dry-run":
			c.DryRun = true
		case "--wait":
			c.Wait = true
		default:
			return false
		}
	}
	return true
}

// plain reads on after what it does not know, so that a hook that fails knows its agent.
func (c *hookCmd) plain(args []string) bool {
	known := true
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--own-code":
			c.OwnCode = true
		case arg == "--context":
			c.Context = true
		case arg == "--context-text" && i+1 < len(args) && !isFlag(args[i+1]):
			i++
			c.ContextText = &args[i]
		case arg == "--limit" && i+1 < len(args) && !isFlag(args[i+1]):
			i++
			c.Limit = &args[i]
		case c.Agent == "" && !isFlag(arg):
			c.Agent = arg
		default:
			known = false
		}
	}
	return known && c.Agent != ""
}

// plain accepts a negative number, which is not a flag; the setting reports that it is out of range.
func (c *setCmd) plain(args []string) bool {
	if len(args) != 2 || isFlag(args[0]) || isFlag(args[1]) && !negative(args[1]) {
		return false
	}
	c.Key, c.Value = args[0], args[1]
	return true
}

func negative(arg string) bool { return len(arg) > 1 && '0' <= arg[1] && arg[1] <= '9' }

func (c *todoShowCmd) plain(args []string) bool { return len(args) == 0 }

func (c *todoAddCmd) plain(args []string) bool {
	for _, arg := range args {
		if isFlag(arg) {
			return false
		}
	}
	c.Args = args
	return len(args) > 0
}
