package cmd

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"onward/internal/render"
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
	given   []string   // flags without a value
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
		case flag == nil:
		case flag.IsBool():
			c.given = append(c.given, flag.Name)
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
		return c.members(c.flag.Value, partial)
	case strings.HasPrefix(partial, "-") && !c.literal:
		if name, value, given := strings.Cut(partial, "="); given {
			return c.assigned(name, value)
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
func (c *completing) assigned(name, value string) []candidate {
	flag := c.find(name)
	if flag == nil || flag.IsBool() {
		return nil
	}
	return prefixed(name+"=", c.members(flag.Value, value))
}

// members gives the values of a flag; of one that takes several, those of the member behind the last comma.
func (c *completing) members(v *kong.Value, partial string) []candidate {
	if !v.IsSlice() {
		return c.values(v)
	}
	return prefixed(partial[:strings.LastIndexByte(partial, ',')+1], c.values(v))
}

func prefixed(prefix string, values []candidate) []candidate {
	for i := range values {
		if values[i] != filesWanted {
			values[i].text = prefix + values[i].text
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

// completionRequest is how the scripts of the shells ask. Nobody types it, so it is not in the help.
const completionRequest = "__complete"

// completeCommand prints the candidates for some words, one a line, each with a tab and its description.
func (a *app) completeCommand(words []string) error {
	a.Quiet = true // a note would end up in the middle of the line that is being typed
	for _, c := range a.complete(words) {
		help, _, _ := strings.Cut(c.help, "\n")
		a.print(render.Text(c.text) + "\t" + render.Text(help) + "\n")
	}
	return nil
}
