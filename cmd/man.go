package cmd

import (
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
	terms(p, "EXIT STATUS", exitTable())
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
		p.Name(name, lowerFirst(leaf.Help))
		p.Section("SYNOPSIS")
		p.Line(roff.Bold("onward "+path(leaf)) + " [" + roff.Italic("flags") + "]" + arguments(leaf))
		p.Section("DESCRIPTION")
		p.Paragraph(leaf.Help)
		parts(p, text.about)
		if len(leaf.Positional) > 0 {
			p.Section("ARGUMENTS")
			for _, arg := range leaf.Positional {
				p.Term(roff.Italic(arg.Name), arg.Help)
			}
		}
		for i, group := range flagGroups(leaf.Flags) {
			if i == 0 {
				p.Section("OPTIONS")
			}
			if group.title != "Flags:" {
				p.Subsection(strings.TrimSuffix(group.title, ":"))
			}
			flags(p, group.flags)
		}
		if len(text.examples) > 0 {
			p.Section("EXAMPLES")
			p.Block(text.examples)
		}
		if len(text.exits) > 0 {
			rows := make([][2]string, len(text.exits))
			for i, e := range text.exits {
				rows[i] = [2]string{e.code, e.meaning}
			}
			terms(p, "EXIT STATUS", rows)
		}
		p.Section("SEE ALSO")
		p.Line(roff.Bold("onward") + "(1), which has the flags of all commands")
		m.pages[name+".1"] = p.Bytes()
	}
}

func (m *manWriter) topic(name string) {
	text, _ := topic(name)
	p := m.page("onward-"+name, 7)
	p.Name("onward-"+name, lowerFirst(text.title))
	p.Section("DESCRIPTION")
	parts(p, text.about)
	m.pages["onward-"+name+".7"] = p.Bytes()
}

// lowerFirst makes a sentence into what stands behind a name.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// parts writes what a page says in its paragraphs, rows and blocks.
func parts(p *roff.Page, list []part) {
	for _, part := range list {
		switch {
		case part.rows != nil:
			for _, r := range part.rows {
				p.Term(roff.Bold(strings.TrimSpace(r[0])), r[1])
			}
		case part.lines != nil:
			p.Block(part.lines)
		default:
			p.Paragraph(part.text)
		}
	}
}

// terms writes a section of terms with their meanings.
func terms(p *roff.Page, title string, rows [][2]string) {
	p.Section(title)
	parts(p, []part{{rows: rows}})
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
		short, long, value := flagTerm(f)
		term := roff.Bold(long)
		if short != "" {
			term = roff.Bold(short) + ", " + term
		}
		if value != "" {
			term += "=" + roff.Italic(value[1:])
		}
		p.Term(term, f.Help)
	}
}
