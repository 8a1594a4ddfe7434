package cmd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/suggest"
)

// The methods MeantCommand return the command line, without "onward", that a user probably meant by arguments that the command does not
// accept; empty if that is not known.

// MeantCommand returns the command line that KEY=VALUE stands for.
func (c *setCmd) MeantCommand(args []string) string {
	if len(args) == 1 {
		if key, value, found := strings.Cut(args[0], "="); found && !isFlag(key) && value != "" {
			return "set " + shellquote.Join(key, value)
		}
	}
	return ""
}

// MeantCommand returns the command line for a session as an argument, which report and session show accept.
func (c *watchCmd) MeantCommand(args []string) string {
	if len(args) == 1 && !isFlag(args[0]) {
		return "watch --session " + shellquote.Join(args[0])
	}
	return ""
}

// MeantCommand returns the command line for a status as a flag.
func (c *todoEditCmd) MeantCommand(args []string) string {
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

// MeantCommand returns the command line for a file's name as an argument.
func (c *todoWriteCmd) MeantCommand(args []string) string {
	if len(args) == 1 && strings.ContainsAny(args[0], "[{") {
		return "todo write < list.json" // the argument is the list itself, which a shell cannot redirect
	}
	if len(args) == 1 && !isFlag(args[0]) {
		return "todo write < " + shellquote.Join(args[0])
	}
	return ""
}

// MeantCommand returns the command line for a program or flags of the agent without --, and for a task without quotes.
func (c *runCmd) MeantCommand(args []string) string {
	if slices.Contains(args, "--continue") || slices.Contains(args, "--resume") {
		return "run" // a run resumes its conversation
	}
	if n := slices.IndexFunc(args, func(arg string) bool { return !slices.Contains(programNames(), arg) }); n > 1 && !isFlag(args[n]) {
		rest := args[n:]
		if !slices.ContainsFunc(rest, isFlag) {
			rest = []string{strings.Join(rest, " ")}
		}
		return "run " + shellquote.Join(append([]string{strings.Join(args[:n], ",")}, rest...)...)
	}
	if at := slices.IndexFunc(args, cli.IsText); at > 0 && slices.Contains(programNames(), args[0]) && !cli.TakesValue(c, args[at-1]) {
		return "run " + args[0] + " --file task.md" // what follows -- are flags of the agent
	}
	known := cli.FlagNames(c)
	ours := func(arg string) bool { // or nearly so
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		return arg == "-v" || slices.Contains(known, name) || len(name) > 2 && len(suggest.Names(name, known)) > 0
	}
	theirs := func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return isFlag(arg) && !cli.IsText(arg) && !ours(arg) && (len(name) == 2 || suggest.Flags(name) == nil)
	}
	if at := slices.IndexFunc(args, theirs); at > 0 && !cli.TakesValue(c, args[at-1]) && slices.Contains(programNames(), args[0]) && !slices.ContainsFunc(args[at:], func(arg string) bool { return isFlag(arg) && ours(arg) }) {
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

// meantAgent returns the program that a user probably meant by a name: its name in another case, or that of the product.
func meantAgent(name string) string {
	name = strings.ToLower(name)
	for _, known := range programNames() {
		if name == known || strings.HasPrefix(name, known+"-") || strings.HasPrefix(name, known+" ") && len(strings.Fields(name)) == 2 {
			return known
		}
	}
	return ""
}

// nearestAgent is meantAgent for a name that may also have a typing error.
func nearestAgent(name string) string {
	known := meantAgent(strings.TrimSpace(name))
	if near := suggest.Names(name, programNames()); known == "" && len(near) > 0 {
		known = near[0]
	}
	return known
}

// meantAgents returns the names that a user probably meant by a list of them with commas, each once. An unknown one stays.
func meantAgents(list string) (names []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = cmp.Or(nearestAgent(name), strings.TrimSpace(name)); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// meantWith returns the command line that a user probably meant by a flag of one of several agents that is none of theirs.
func (r *runner) meantWith(with string, names []string) string {
	at := strings.IndexAny(with+"=", "= :")
	name, flags := nearestAgent(with[:at]), strings.TrimSpace(with[min(at+1, len(with)):])
	if name == "" {
		name, flags = names[len(names)-1], ""
	}
	return r.meant(func(c *runCmd) {
		c.With[slices.Index(c.With, with)] = name + "=" + cmp.Or(flags, exampleFlags(name))
		if !slices.Contains(names, name) {
			c.Agent += "," + name
		}
	})
}

// exampleFlags returns flags that an agent has.
func exampleFlags(name string) string {
	switch p, known := agents.ProgramOf(name); {
	case name == "generic":
		return "my-agent {prompt}"
	case known && strings.HasPrefix(p.Rights, "-"):
		return p.Rights
	}
	return "--model NAME"
}

// without returns the command line without some of several agents.
func (r *runner) without(left func(name string) bool) string {
	return r.meant(func(c *runCmd) {
		c.Agent = strings.Join(slices.DeleteFunc(strings.Split(c.Agent, ","), left), ",")
		c.With = slices.DeleteFunc(c.With, func(with string) bool {
			name, _, _ := strings.Cut(with, "=")
			return left(name)
		})
	})
}

// unknownAgent returns what to type instead of an unknown agent. A text of several words is a task; other programs name their agent
// with a flag.
func (r *runner) unknownAgent(name string) string {
	if r.a.Agent != nil && slices.Contains(programNames(), *r.a.Agent) {
		return "did you mean " + runExample([]string{*r.a.Agent}, strings.TrimSpace(r.Agent+" "+r.Task)) + "?"
	}
	if all := meantAgents(r.Agent); nearestAgent(name) != "" || name == "" && len(all) > 0 {
		return "did you mean " + r.meant(func(c *runCmd) { c.Agent = strings.Join(all, ",") }) + "?"
	}
	if strings.Contains(r.Agent, " ") && r.Task == "" {
		return "which agent? for example `onward run " + agents.Programs()[0].Name + " " + shellquote.Join(r.Agent) + "`"
	}
	return "`onward run generic 'the task' -- PROGRAM` starts any other program"
}

// runExample returns the command that runs agents, in backquotes. The task may be empty.
func runExample(agents []string, task string) string {
	words := []string{"onward", "run", strings.Join(agents, ",")}
	if task != "" {
		words = append(words, task)
	}
	return "`" + shellquote.Join(words...) + "`"
}
