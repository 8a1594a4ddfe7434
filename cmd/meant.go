package cmd

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/suggest"
)

// The methods MeantCommand return the command line, without "onward", that a user probably meant by arguments that the command does not
// accept; empty if that is not known.

// MeantCommand returns the command line that KEY=VALUE stands for, KEY = VALUE, KEY to VALUE, or --KEY VALUE.
func (c *setCmd) MeantCommand(args []string) string {
	if len(args) == 3 && (args[1] == "=" || args[1] == "to") {
		return "set " + shellquote.Join(args[0], args[2])
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "--") {
		key, value, joined := strings.Cut(args[0][2:], "=")
		if !joined && len(args) == 2 {
			value = args[1]
		}
		if _, err := continuation.FindSetting(key); err == nil && value != "" {
			return "set " + shellquote.Join(key, value)
		}
	}
	if len(args) == 1 {
		if key, value, found := strings.Cut(args[0], "="); found && !isFlag(key) && value != "" {
			return "set " + shellquote.Join(key, value)
		}
	}
	return ""
}

// MeantCommand returns the command line for a move in a sentence: `1 to 3`, `3 before 1`.
func (c *todoMoveToCmd) MeantCommand(args []string) string {
	if len(args) != 3 {
		return ""
	}
	to, isNumber := strconv.Atoi(args[2])
	from, alsoNumber := strconv.Atoi(args[0])
	switch numbers := isNumber == nil && alsoNumber == nil; {
	case slices.Contains([]string{"to", "at", "->", "=>", "with"}, args[1]):
		return "todo move " + shellquote.Join(args[0], args[2])
	case numbers && slices.Contains([]string{"before", "above", "over"}, args[1]):
		if from < to {
			to--
		}
	case numbers && slices.Contains([]string{"after", "below", "behind", "under"}, args[1]):
		if from > to {
			to++
		}
	default:
		return ""
	}
	return "todo move " + shellquote.Join(args[0], strconv.Itoa(to))
}

// MeantCommand returns the command line for a session as an argument, which report and session show accept, or without a flag for what it
// always does.
func (c *watchCmd) MeantCommand(args []string) string {
	if slices.Equal(args, []string{"--follow"}) {
		return "watch"
	}
	if len(args) == 1 && !isFlag(args[0]) && args[0] != "all" {
		return "watch --session " + shellquote.Join(args[0])
	}
	return ""
}

// MeantCommand returns the command line for an answer as an argument.
func (*resumeCmd) MeantCommand(args []string) string {
	if len(args) == 1 && !isFlag(args[0]) {
		return "reply " + shellquote.Join(args[0])
	}
	return ""
}

// MeantCommand returns the command line for a period: the report is about everything that is known.
func (*reportCmd) MeantCommand(args []string) string {
	if slices.Contains([]string{"--last", "--since"}, args[0]) {
		return "report"
	}
	return ""
}

// MeantCommand returns the command line for repairs.
func (*doctorCmd) MeantCommand(args []string) string {
	if args[0] == "--fix" {
		return "repair"
	}
	return ""
}

// MeantCommand returns the command line for an age as an argument. It deletes nothing.
func (c *sessionPruneCmd) MeantCommand(args []string) string {
	if len(args) == 1 && !isFlag(args[0]) {
		return "session prune --older-than " + shellquote.Join(args[0]) + " --dry-run"
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
	if slices.ContainsFunc(args, func(arg string) bool { return arg == "--continue" || arg == "--resume" || arg == "--last" }) {
		return "run" // a run resumes its conversation
	}
	if at := slices.Index(args, "--with"); at >= 0 && at+1 < len(args) && slices.Contains(programNames(), args[at+1]) { // it is for more agents
		rest := slices.Concat(args[at+1:at+2], args[:at], args[at+2:])
		if slices.ContainsFunc(rest, isFlag) {
			return c.MeantCommand(rest)
		}
		return "run " + shellquote.Join(rest...)
	}
	if len(args) > 2 && slices.Contains([]string{"and", "+", "&", "then", ","}, args[1]) && slices.Contains(programNames(), args[0]) && slices.Contains(programNames(), args[2]) {
		return "run " + shellquote.Join(append([]string{args[0] + "," + args[2]}, args[3:]...)...)
	}
	if len(args) > 2 && slices.Contains([]string{"start", "with", "agent"}, args[0]) && slices.Contains(programNames(), args[1]) && !slices.ContainsFunc(args, isFlag) {
		return "run " + shellquote.Join(args[1], strings.Join(args[2:], " "))
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
		own, flags := args[:at], args[at:]
		if n := len(flags) - 1; at == 1 && n > 0 && !isFlag(flags[n]) && (strings.Contains(flags[n], " ") || !isFlag(flags[n-1])) {
			own, flags = []string{args[0], flags[n]}, flags[:n] // the task is the last word
		}
		return "run " + shellquote.Join(own...) + " -- " + shellquote.Join(slices.Concat(c.words, flags)...)
	}
	if n := slices.IndexFunc(args, func(arg string) bool { return slices.Contains(programNames(), arg) }); n > 0 && theirs(args[0]) && !slices.ContainsFunc(args[1:], isFlag) {
		return "run " + shellquote.Join(args[n:]...) + " -- " + shellquote.Join(slices.Concat(c.words, args[:n])...)
	}
	if len(args) > 2 && meantAgent(args[0]) == "" && len(suggest.Names(args[0], programNames())) == 0 && args[0] != "generic" && !slices.ContainsFunc(args, isFlag) {
		return "run " + agents.Programs()[0].Name + " " + shellquote.Join(strings.Join(args, " "))
	}
	if at := thirdWord(c, args); at > 0 && args[0] == "generic" && len(c.words) == 0 {
		return "run " + shellquote.Join(args[:at]...) + " -- " + shellquote.Join(args[at:]...)
	}
	return ""
}

// thirdWord returns the place of the third argument of a command that is neither a flag nor the value of one; 0 if there are fewer.
func thirdWord(command any, args []string) int {
	words := 0
	for i, arg := range args {
		if !isFlag(arg) && (i == 0 || !cli.TakesValue(command, args[i-1])) {
			words++
		}
		if words == 3 {
			return i
		}
	}
	return 0
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
		c := *r.runCmd
		c.Agent, c.Task = *r.a.Agent, strings.TrimSpace(r.Agent+" "+r.Task)
		return "did you mean `onward " + shellquote.Join(c.typed(nil)...) + "`?"
	}
	if all := meantAgents(r.Agent); nearestAgent(name) != "" || name == "" && len(all) > 0 {
		return "did you mean " + r.meant(func(c *runCmd) { c.Agent = strings.Join(all, ",") }) + "?"
	}
	task := r.Task
	listed := strings.FieldsFunc(r.Agent, func(c rune) bool { return strings.ContainsRune(",+&/ ", c) })
	isKnown := func(name string) bool { return slices.Contains(programNames(), name) }
	switch {
	case len(listed) > 0 && !slices.ContainsFunc(listed, func(name string) bool { return !isKnown(name) }):
		return "did you mean " + r.example(listed, task) + "?"
	case slices.ContainsFunc(strings.Split(r.Agent, ","), isKnown):
		return "without it: " + r.without(func(name string) bool { return !isKnown(name) })
	case isKnown(task):
		return "did you mean " + r.example([]string{task}, r.Agent) + "?"
	case strings.Contains(r.Agent, " ") && task == "":
		return "which agent? for example " + r.example(nil, r.Agent)
	case task == "" && slices.Contains([]string{".md", ".txt"}, filepath.Ext(r.Agent)):
		return "did you mean " + r.meant(func(c *runCmd) { c.Agent, c.File = programNames()[0], c.Agent }) + "?"
	case task == "" && len(suggest.Commands("run "+r.Agent)) > 0:
		return "did you mean `onward " + suggest.Commands("run " + r.Agent)[0] + "`?"
	case task == "" && cli.Find(commands(), r.Agent) != nil:
		return "did you mean `onward " + r.Agent + "`?"
	case task == "" && len(suggest.Commands(r.Agent)) > 0:
		return "did you mean `onward " + suggest.Commands(r.Agent)[0] + "`?"
	case task == "", (strings.Contains(task, " ") || isOtherProgram(r.Agent)) && len(r.words) == 0:
		r.words = []string{r.Agent}
		return r.example([]string{"generic"}, cmp.Or(task, "the task")) + " starts any other program"
	case strings.ContainsAny(r.Agent+task, "./") && len(r.words) == 0:
		r.words = []string{r.Agent, task}
		return r.example([]string{"generic"}, "the task") + " starts any other program"
	}
	return "which agent? for example " + r.example(nil, r.Agent+" "+task)
}

// isOtherProgram reports whether a word names an agent that onward cannot start by itself, and is not the first word of a task.
func isOtherProgram(name string) bool {
	return agents.Find(name) != nil || slices.Contains([]string{"aider", "amp", "auggie", "chatgpt", "crush", "devin", "gpt", "llm", "ollama", "windsurf"}, name)
}

// example returns the command that runs agents with the flags that were typed, in backquotes. Without an agent it is the first one that
// is known; the task may be empty.
func (r *runner) example(agents []string, task string) string {
	if agents == nil {
		agents = programNames()[:1]
	}
	return r.meant(func(c *runCmd) { c.Agent, c.Task = strings.Join(agents, ","), task })
}
