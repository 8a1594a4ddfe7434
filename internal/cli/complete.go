package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"onward/internal/render"
)

// Candidate is one way to continue a command line.
type Candidate struct {
	Text string `json:"text"`
	Help string `json:"description"`
}

// filesWanted is the text of the candidate that asks the shell for file names.
const filesWanted = ":files"

// FileCandidates returns the candidate that asks the shell for file names.
func FileCandidates() []Candidate { return []Candidate{{Text: filesWanted}} }

// WordCandidates makes candidates without explanations.
func WordCandidates[S ~string](words []S) []Candidate {
	out := make([]Candidate, len(words))
	for i, w := range words {
		out[i].Text = string(w)
	}
	return out
}

// CandidatesWithPrefix returns the candidates that begin with what was typed.
func CandidatesWithPrefix(typed string, list []Candidate) []Candidate {
	return slices.DeleteFunc(list, func(c Candidate) bool { return c.Text != filesWanted && !strings.HasPrefix(c.Text, typed) })
}

// CompletionContext is what was typed of a command line so far, for the caller, who knows the possible values.
type CompletionContext struct {
	Kind  string   // the kind of value to complete: the tag `complete` of a flag or an argument
	Args  []string // the arguments of the command
	Given []string // the names of its switches
}

// Complete returns the candidates for the last of some words; none if it does
// not understand the words before. It sets the global flags that were typed,
// because the candidates depend on them.
func (p *Program) Complete(words []string, values func(CompletionContext) []Candidate) []Candidate {
	if len(words) == 0 {
		return nil
	}
	before, partial := words[:len(words)-1], words[len(words)-1]
	c := completing{Line: Scan(before, p.Commands, p.Flags), program: p, values: values}
	if c.leaf() {
		c.node = model(c.Command)
		c.readArgs()
	}
	return CandidatesWithPrefix(partial, c.candidates(before, partial))
}

// completing is a command line that ends in a word to be completed.
type completing struct {
	Line
	program *Program
	values  func(CompletionContext) []Candidate
	node    *kong.Node // of the command; nil if none is named yet
	typed   CompletionContext
}

// readArgs separates the arguments of the command from its flags.
func (c *completing) readArgs() {
	for i := 0; i < len(c.Args); i++ {
		word := c.Args[i]
		switch name, _, joined := strings.Cut(word, "="); {
		case word == "--":
			c.typed.Args = append(c.typed.Args, c.Args[i+1:]...)
			return
		case !isFlag(word):
			c.typed.Args = append(c.typed.Args, word)
		default:
			switch f := findFlag(c.node, name); {
			case f == nil:
			case f.IsBool():
				c.typed.Given = append(c.typed.Given, f.Name)
			case !joined && i+1 < len(c.Args) && !isFlag(c.Args[i+1]):
				i++
			}
		}
	}
}

func (c *completing) candidates(before []string, partial string) []Candidate {
	literal := slices.Contains(before, "--")
	if errors.As(c.Err, new(*unknownCommand)) || literal && !c.leaf() {
		return nil
	}
	if !literal {
		if n := len(before); n > 0 && isFlag(before[n-1]) {
			if of, known := c.valuesOf(before[n-1], partial); known {
				return of
			}
		}
		if strings.HasPrefix(partial, "-") {
			if name, value, given := strings.Cut(partial, "="); given {
				of, _ := c.valuesOf(name, value)
				return prefixed(name+"=", of)
			}
			return c.flags()
		}
	}
	if c.leaf() {
		return c.arguments(partial)
	}
	table := c.program.Commands
	if c.Command != nil {
		table = c.Command.Sub
	}
	return CommandNames(table)
}

// CommandNames makes candidates of the commands of a table.
func CommandNames(table []Command) []Candidate {
	return render.Map(table, func(_ int, c *Command) Candidate { return Candidate{c.Name, c.Help} })
}

// flags lists the flags of the command, and those that every command accepts.
func (c *completing) flags() []Candidate {
	var out []Candidate
	if c.node != nil {
		for _, f := range c.node.Flags {
			out = append(out, Candidate{"--" + f.Name, f.Help})
		}
	}
	for _, f := range c.program.Flags {
		if c.Command == nil || c.Command.Own != f.Name {
			out = append(out, Candidate{"--" + f.Name, f.Help})
		}
	}
	return out
}

// valuesOf returns the possible values of a flag, and whether the flag exists and
// has values. If the flag accepts several, it completes the one after the last comma.
func (c *completing) valuesOf(name, partial string) ([]Candidate, bool) {
	for _, f := range c.program.Flags {
		if name == "--"+f.Name && (c.Command == nil || c.Command.Own != f.Name) || f.Short != 0 && name == "-"+string(f.Short) {
			return c.ask(f.Complete), f.Text != nil
		}
	}
	if c.node == nil {
		return nil, false
	}
	f := findFlag(c.node, name)
	if f == nil || f.IsBool() {
		return nil, false
	}
	of := c.ask(f.Tag.Get("complete"))
	if f.IsSlice() {
		of = prefixed(partial[:strings.LastIndexByte(partial, ',')+1], of)
	}
	return of, true
}

// arguments returns the possible values of the next argument. The last argument
// of a command may accept many. If an argument has several values with commas between, as its tag `commas` says, the one after the
// last comma is completed, with a value that is not there yet.
func (c *completing) arguments(partial string) []Candidate {
	n, at := len(c.node.Positional), len(c.typed.Args)
	switch {
	case n == 0, at >= n && !c.node.Positional[n-1].IsCumulative():
		return nil
	}
	tag := c.node.Positional[min(at, n-1)].Tag
	of := c.ask(tag.Get("complete"))
	if end := strings.LastIndexByte(partial, ','); end >= 0 && tag.Has("commas") {
		there := strings.Split(partial[:end], ",")
		of = slices.DeleteFunc(of, func(is Candidate) bool { return slices.Contains(there, is.Text) })
		return prefixed(partial[:end+1], of)
	}
	return of
}

// ask returns the candidates of a kind: the words that the tag lists, or what
// the caller returns.
func (c *completing) ask(kind string) []Candidate {
	if words, fixed := strings.CutPrefix(kind, "="); fixed {
		return WordCandidates(strings.Split(words, "|"))
	}
	if kind == "" {
		return nil
	}
	c.typed.Kind = kind
	return c.values(c.typed)
}

func prefixed(prefix string, values []Candidate) []Candidate {
	for i := range values {
		if values[i].Text != filesWanted {
			values[i].Text = prefix + values[i].Text
		}
	}
	return values
}
