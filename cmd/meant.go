package cmd

import (
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/suggest"
)

// The methods Meant return the command line, without "onward", that a user probably means by arguments that the command does not
// take; empty if that is not known.

// Meant returns the command line that KEY=VALUE stands for.
func (c *setCmd) Meant(args []string) string {
	if len(args) == 1 {
		if key, value, found := strings.Cut(args[0], "="); found && !isFlag(key) && value != "" {
			return "set " + shellquote.Join(key, value)
		}
	}
	return ""
}

// Meant returns the command line for a session as an argument, which report and session show accept.
func (c *watchCmd) Meant(args []string) string {
	if len(args) == 1 && !isFlag(args[0]) {
		return "watch --session " + shellquote.Join(args[0])
	}
	return ""
}

// Meant returns the command line for a status as a flag.
func (c *todoEditCmd) Meant(args []string) string {
	var rest []string
	status := ""
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		switch {
		case name == "--done" || name == "--block" || name == "--start" || name == "--cancel":
			status = name[2:]
		case name != "--status":
			rest = append(rest, args[i])
		case joined:
			status = value
		case i+1 < len(args):
			i++
			status = args[i]
		}
	}
	at := slices.IndexFunc(commands(), func(c cli.Command) bool { return c.Name == "todo" })
	if c := cli.Find(commands()[at].Sub, status); c != nil && len(rest) > 0 {
		if _, moves := c.Make().(*todoStatusCmd); moves {
			return "todo " + c.Name + " " + shellquote.Join(rest[0])
		}
	}
	return ""
}

// Meant returns the command line for a file's name as an argument.
func (c *todoWriteCmd) Meant(args []string) string {
	if len(args) == 1 && !isFlag(args[0]) {
		return "todo write < " + shellquote.Join(args[0])
	}
	return ""
}

// Meant returns the command line for a program or flags of the agent without --, and for a task without quotes.
func (c *runCmd) Meant(args []string) string {
	if at := slices.IndexFunc(args, func(arg string) bool { return meantFlag(arg) != "" }); at > 0 {
		return "run " + shellquote.Join(slices.Concat(args[:at], []string{meantFlag(args[at])}, args[at+1:])...)
	}
	known := cli.FlagNames(c)
	ours := func(arg string) bool { // or nearly so
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		return arg == "-v" || slices.Contains(known, name) || len(name) > 2 && len(suggest.Names(name, known)) > 0
	}
	theirs := func(arg string) bool { return isFlag(arg) && !ours(arg) }
	if at := slices.IndexFunc(args, theirs); at > 0 && slices.Contains(programNames(), args[0]) && !slices.ContainsFunc(args[at:], func(arg string) bool { return isFlag(arg) && ours(arg) }) {
		return "run " + shellquote.Join(args[:at]...) + " -- " + shellquote.Join(slices.Concat(c.words, args[at:])...)
	}
	if len(args) > 2 && meantAgent(args[0]) == "" && len(suggest.Names(args[0], programNames())) == 0 && args[0] != "generic" && !slices.ContainsFunc(args, isFlag) {
		return "run " + agents.Programs()[0].Name + " " + shellquote.Join(strings.Join(args, " "))
	}
	if len(args) > 2 && args[0] == "generic" && len(c.words) == 0 && !slices.ContainsFunc(args[:3], isFlag) {
		return "run " + shellquote.Join(args[:2]...) + " -- " + shellquote.Join(args[2:]...)
	}
	return ""
}

// meantFlag returns the flag of a run that other programs call by this name; empty if there is none.
func meantFlag(name string) string {
	switch name {
	case "--budget", "--max-cost", "--max-budget-usd":
		return "--max-usd"
	case "--timeout", "--max-time":
		return "--max-duration"
	case "--test", "--check", "--verify":
		return "--gate"
	case "--task":
		return "--file"
	case "--force":
		return "--new"
	}
	return ""
}

// meantAgent returns the program that a user probably means by a name: its name in other letters, or that of the product.
func meantAgent(name string) string {
	name = strings.ToLower(name)
	for _, known := range programNames() {
		if name == known || strings.HasPrefix(name, known+"-") || strings.HasPrefix(name, known+" ") && len(strings.Fields(name)) == 2 {
			return known
		}
	}
	return ""
}

// unknownAgent returns the next step after an agent that is not known. A text of several words is a task.
func (c *runCmd) unknownAgent(name string) string {
	if known := meantAgent(name); known != "" {
		all := strings.Split(c.Agent, ",")
		all[slices.Index(all, name)] = known
		words := []string{"onward", "run", strings.Join(all, ",")}
		if c.Task != "" {
			words = append(words, c.Task)
		}
		return "did you mean `" + shellquote.Join(words...) + "`?"
	}
	if strings.Contains(c.Agent, " ") && c.Task == "" {
		return "which agent? for example `onward run " + agents.Programs()[0].Name + " " + shellquote.Join(c.Agent) + "`"
	}
	if names := suggest.Names(name, programNames()); len(names) > 0 && c.Agent == name {
		words := []string{"onward", "run", names[0]}
		if c.Task != "" {
			words = append(words, c.Task)
		}
		return "did you mean `" + shellquote.Join(words...) + "`?"
	}
	return "`onward run generic 'the task' -- PROGRAM` starts any other program"
}
