package cmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// candidate is one way to go on with a command line.
type candidate struct{ text, help string }

// filesWanted is the candidate that asks the shell for file names.
var filesWanted = candidate{text: ":files"}

// complete gives the candidates for the last of some words, which is what stands on the command line so far.
// It follows the words through the command model; what it does not understand has no candidates.
func (a *app) complete(words []string) []candidate {
	model, err := a.model()
	if err != nil || len(words) == 0 {
		return nil
	}
	c := completing{app: a, node: model.Node}
	for _, w := range words[:len(words)-1] {
		c.pass(w)
	}
	partial := words[len(words)-1]
	found := c.candidates(partial)
	return slices.DeleteFunc(found, func(f candidate) bool {
		return f != filesWanted && !strings.HasPrefix(f.text, partial)
	})
}

// completing is a command line on its way through the model.
type completing struct {
	app     *app
	node    *kong.Node
	flag    *kong.Flag // whose value comes next
	args    []string   // arguments of the command so far
	literal bool       // after --
	lost    bool       // a word is no command
}

// pass takes a word that is complete.
func (c *completing) pass(word string) {
	switch {
	case c.flag != nil:
		c.take(c.flag, word)
		c.flag = nil
	case c.literal:
		c.args = append(c.args, word)
	case word == "--":
		c.literal = true
	case strings.HasPrefix(word, "-") && word != "-":
		name, value, given := strings.Cut(word, "=")
		flag := c.find(name)
		switch {
		case flag == nil || flag.IsBool():
		case given:
			c.take(flag, value)
		default:
			c.flag = flag
		}
	default:
		for _, child := range c.node.Children {
			if child.Name == word || slices.Contains(child.Aliases, word) {
				c.node = child
				return
			}
		}
		c.args = append(c.args, word)
		c.lost = len(c.node.Children) > 0
	}
}

// take notes the flags that decide which list the candidates come from.
func (c *completing) take(flag *kong.Flag, value string) {
	switch flag.Name {
	case "session":
		c.app.Session = &value
	case "agent":
		c.app.Agent = &value
	case "store":
		c.app.Store = &value
	}
}

func (c *completing) find(name string) *kong.Flag {
	for n := c.node; n != nil; n = n.Parent {
		for _, f := range n.Flags {
			if name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short) {
				return f
			}
		}
	}
	return nil
}

func (c *completing) candidates(partial string) []candidate {
	switch {
	case c.lost:
		return nil
	case c.flag != nil:
		return c.values(c.flag.Value)
	case strings.HasPrefix(partial, "-") && !c.literal:
		if name, _, given := strings.Cut(partial, "="); given {
			return c.assigned(name)
		}
		return c.flags()
	case len(c.node.Children) > 0:
		var out []candidate
		for _, child := range c.node.Children {
			out = append(out, candidate{child.Name, child.Help})
		}
		return out
	}
	return c.arguments()
}

// flags gives the flags of the command, and those that every command takes.
func (c *completing) flags() []candidate {
	var out []candidate
	for n := c.node; n != nil; n = n.Parent {
		for _, f := range n.Flags {
			if !f.Hidden {
				out = append(out, candidate{"--" + f.Name, f.Help})
			}
		}
	}
	return out
}

// assigned gives the values of a flag in the form --flag=value.
func (c *completing) assigned(name string) []candidate {
	flag := c.find(name)
	if flag == nil || flag.IsBool() {
		return nil
	}
	values := c.values(flag.Value)
	for i := range values {
		if values[i] != filesWanted {
			values[i].text = name + "=" + values[i].text
		}
	}
	return values
}

// arguments gives the values of the next argument; the last one of a command may take many.
func (c *completing) arguments() []candidate {
	n := len(c.node.Positional)
	if n == 0 {
		return nil
	}
	at := min(len(c.args), n-1)
	if at < len(c.args) && !c.node.Positional[at].IsCumulative() {
		return nil
	}
	return c.values(c.node.Positional[at])
}

// values gives what the tag `complete` of a flag or argument names.
func (c *completing) values(v *kong.Value) []candidate {
	kind := v.Tag.Get("complete")
	if words, ok := strings.CutPrefix(kind, "="); ok {
		var out []candidate
		for word := range strings.SplitSeq(words, "|") {
			out = append(out, candidate{text: word})
		}
		return out
	}
	switch kind {
	case "file":
		return []candidate{filesWanted}
	case "status":
		return statusCandidates()
	case "setting":
		return settingCandidates()
	case "value":
		return valueCandidates(c.args)
	case "position", "range":
		return c.app.positions(kind == "range")
	case "session":
		return c.app.sessions()
	case "list":
		return c.app.numbers()
	}
	return nil
}

func statusCandidates() []candidate {
	var out []candidate
	for _, s := range todo.Statuses {
		out = append(out, candidate{text: string(s)})
	}
	return out
}

func settingCandidates() []candidate {
	var out []candidate
	for _, s := range continuation.Table() {
		out = append(out, candidate{s.Key, s.Help})
	}
	return out
}

// valueCandidates gives the values of the setting that was named before.
func valueCandidates(args []string) []candidate {
	if len(args) == 0 {
		return nil
	}
	s, err := continuation.Find(args[0])
	if err != nil {
		return nil
	}
	var out []candidate
	for _, word := range []string{"true", "false", "cli", "tool", "auto"} {
		if continuation.CheckSetting(s.Key, word) == nil && strings.Contains(s.Allowed, word) {
			out = append(out, candidate{text: word})
		}
	}
	if !slices.ContainsFunc(out, func(c candidate) bool { return c.text == s.Default }) {
		out = append(out, candidate{s.Default, "the default; allowed: " + s.Allowed})
	}
	return out
}

// positions gives the positions of the current list with their texts.
func (a *app) positions(ranges bool) []candidate {
	_, doc, err := a.load()
	if err != nil {
		return nil
	}
	var out []candidate
	items := current(doc)
	for i := range items {
		out = append(out, candidate{strconv.Itoa(i + 1), items[i].Content})
		for j := range items[i].Subtasks {
			out = append(out, candidate{todo.Ref{Item: i, Sub: j}.Label(), items[i].Subtasks[j].Content})
		}
	}
	out = append(out, candidate{"last", "the last item"})
	if ranges {
		out = append(out, candidate{"all", "every item"})
	}
	return out
}

// maxSessions is how many saved sessions are offered, because each of them is read.
const maxSessions = 50

func (a *app) sessions() []candidate {
	var out []candidate
	for _, l := range a.listed() {
		text := "cannot be read"
		if l.Doc != nil {
			text = render.Totals(todo.Count(l.Doc.Todos.Items))
		}
		out = append(out, candidate{l.Name.String(), text})
	}
	return out
}

// numbers gives the numbers of the saved lists, with their sessions.
func (a *app) numbers() []candidate {
	var out []candidate
	for _, l := range a.listed() {
		out = append(out, candidate{strconv.Itoa(l.Number), l.Name.String()})
	}
	return append(out, a.sessions()...)
}

func (a *app) listed() []session.Listed {
	t, err := a.target()
	if err != nil {
		return nil
	}
	lists, _, err := t.store.Lists(t.name, true, maxSessions)
	if err != nil {
		return nil
	}
	return lists
}

// completionRequest is how the scripts of the shells ask. Nobody types it, so it is not in the help.
const completionRequest = "__complete"

// completeCommand prints the candidates for some words, one a line, each with a tab and its description.
func (a *app) completeCommand(words []string) error {
	for _, c := range a.complete(words) {
		help, _, _ := strings.Cut(c.help, "\n")
		a.print(render.Text(c.text) + "\t" + render.Text(help) + "\n")
	}
	return nil
}
