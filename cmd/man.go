package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"onward/internal/roff"
)

// ManPages gives the manual as man pages, by their file names: one of the program, one of each command, one of each topic.
// They come from the command model and the pages of the help. The date is for their foot.
func ManPages(date string) (map[string][]byte, error) {
	a := &app{}
	model, err := a.model()
	if err != nil {
		return nil, err
	}
	m := manWriter{date: date, pages: map[string][]byte{}}
	m.program(model.Node)
	m.commands(model.Node)
	for _, name := range topics() {
		m.topic(name)
	}
	return m.pages, nil
}

type manWriter struct {
	date  string
	pages map[string][]byte
}

func (m *manWriter) page(name string, section int) *roff.Page {
	return roff.New(name, section, m.date, "onward "+version, "onward manual")
}

// program writes onward(1).
func (m *manWriter) program(root *kong.Node) {
	p := m.page("onward", 1)
	p.Name("onward", "keep a coding agent's todo list on disk, and the agent going until the list is done")
	p.Section("SYNOPSIS")
	p.Line(roff.Bold("onward") + " [" + roff.Italic("flags") + "] " + roff.Italic("command") + " [" + roff.Italic("arguments") + "]")
	p.Section("DESCRIPTION")
	p.Paragraph("Every operation is a single command that reads and writes JSON files by atomic rename and answers with an exit code, so that shell scripts, git hooks, CI jobs and the agents' own stop hooks build their loops on it.")
	p.Section("COMMANDS")
	for _, leaf := range leaves(root) {
		p.Term(roff.Bold(path(leaf)), leaf.Help)
	}
	p.Section("OPTIONS")
	flags(p, root.Flags)
	exits(p, nil)
	p.Section("SEE ALSO")
	var see []string
	for _, name := range topics() {
		see = append(see, roff.Bold("onward-"+name)+"(7)")
	}
	p.Line(strings.Join(see, ", "))
	m.pages["onward.1"] = p.Bytes()
}

// commands writes a page for each command below a node.
func (m *manWriter) commands(root *kong.Node) {
	for _, leaf := range leaves(root) {
		name := "onward-" + strings.ReplaceAll(path(leaf), " ", "-")
		text := manualOf(path(leaf))
		p := m.page(name, 1)
		p.Name(name, leaf.Help)
		p.Section("SYNOPSIS")
		p.Line(roff.Bold("onward "+path(leaf)) + " [" + roff.Italic("flags") + "]" + arguments(leaf))
		p.Section("DESCRIPTION")
		p.Paragraph(leaf.Help)
		for _, paragraph := range text.about {
			p.Paragraph(paragraph)
		}
		if len(leaf.Positional) > 0 {
			p.Section("ARGUMENTS")
			for _, arg := range leaf.Positional {
				p.Term(roff.Italic(arg.Name), arg.Help)
			}
		}
		if len(leaf.Flags) > 0 {
			p.Section("OPTIONS")
			flags(p, leaf.Flags)
		}
		if len(text.examples) > 0 {
			p.Section("EXAMPLES")
			p.Block(text.examples)
		}
		if len(text.exits) > 0 {
			exits(p, text.exits)
		}
		p.Section("SEE ALSO")
		p.Line(roff.Bold("onward") + "(1), which has the flags of all commands")
		m.pages[name+".1"] = p.Bytes()
	}
}

func (m *manWriter) topic(name string) {
	text, _ := topic(name)
	title, body, _ := strings.Cut(text, "\n")
	p := m.page("onward-"+name, 7)
	p.Name("onward-"+name, "onward: "+strings.ToLower(title))
	p.Section("DESCRIPTION")
	for paragraph := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		if strings.HasPrefix(paragraph, "    ") {
			lines := strings.Split(paragraph, "\n")
			for i := range lines {
				lines[i] = strings.TrimPrefix(lines[i], "    ")
			}
			p.Block(lines)
			continue
		}
		p.Paragraph(paragraph)
	}
	m.pages["onward-"+name+".7"] = p.Bytes()
}

// leaves gives the commands that can be run, in the order of the table.
func leaves(n *kong.Node) []*kong.Node {
	var out []*kong.Node
	for _, c := range n.Children {
		if len(c.Children) == 0 {
			out = append(out, c)
		} else {
			out = append(out, leaves(c)...)
		}
	}
	return out
}

// path names a command: `todo add`.
func path(n *kong.Node) string {
	var names []string
	for ; n.Parent != nil; n = n.Parent {
		names = append(names, n.Name)
	}
	slices.Reverse(names)
	return strings.Join(names, " ")
}

func arguments(n *kong.Node) string {
	var b strings.Builder
	for _, arg := range n.Positional {
		word := roff.Italic(arg.Name)
		if arg.IsCumulative() {
			word += " ..."
		}
		if !arg.Required {
			word = "[" + word + "]"
		}
		b.WriteString(" " + word)
	}
	return b.String()
}

func flags(p *roff.Page, list []*kong.Flag) {
	for _, f := range list {
		if f.Hidden {
			continue
		}
		term := roff.Bold("--" + f.Name)
		if f.Short != 0 {
			term = roff.Bold("-"+string(f.Short)) + ", " + term
		}
		if !f.IsBool() {
			term += "=" + roff.Italic(strings.Trim(f.FormatPlaceHolder(), `"`))
		}
		p.Term(term, f.Help)
	}
}

// exits writes the section EXIT STATUS: the codes of a command, or where none are given, every code.
func exits(p *roff.Page, codes []int) {
	p.Section("EXIT STATUS")
	for _, c := range exitCodes() {
		if codes == nil || slices.Contains(codes, c.Code) {
			p.Term(roff.Bold(fmt.Sprint(c.Code)), c.Name+": "+c.Meaning)
		}
	}
}
