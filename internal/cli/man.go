package cli

import (
	"strings"

	"github.com/alecthomas/kong"
)

// ManPages returns the manual as man pages, by their file names: one of the
// program, one of each command, one of each topic. The date is for their foot.
func (p *Program) ManPages(date string) map[string][]byte {
	m := manWriter{program: p, date: date, pages: map[string][]byte{}}
	m.overview()
	for path, c := range p.leaves() {
		m.command(path, c)
	}
	for _, name := range p.Topics() {
		m.topic(name)
	}
	return m.pages
}

type manWriter struct {
	program *Program
	date    string
	pages   map[string][]byte
}

func (m *manWriter) page(name string, section int) *manPage {
	p := m.program
	return newManPage(name, section, m.date, p.Name+" "+p.Version, p.Name+" manual")
}

// overview writes the page of the program.
func (m *manWriter) overview() {
	of := m.program
	p := m.page(of.Name, 1)
	p.Name(of.Name, strings.TrimPrefix(of.About, of.Name+" "))
	p.Section("SYNOPSIS")
	p.Line(bold(of.Name) + " " + italic("command") + " [" + italic("arguments") + "] [" + italic("flags") + "]")
	p.Section("DESCRIPTION")
	p.Paragraph(of.Details)
	p.Section("COMMANDS")
	for path, c := range of.leaves() {
		p.Term(bold(path), c.Help)
	}
	p.Section("OPTIONS")
	flags(p, of.globalTerms())
	terms(p, "EXIT STATUS", of.exitTable())
	p.Section("SEE ALSO")
	var see []string
	for _, name := range of.Topics() {
		see = append(see, bold(of.Name+"-"+name)+"(7)")
	}
	p.Line(strings.Join(see, ", "))
	m.pages[of.Name+".1"] = p.Bytes()
}

func (m *manWriter) command(path string, c *Command) {
	of, node := m.program, model(c)
	name := of.Name + "-" + strings.ReplaceAll(path, " ", "-")
	text := of.page(path)
	p := m.page(name, 1)
	p.Name(name, lowerFirst(c.Help))
	p.Section("SYNOPSIS")
	p.Line(bold(of.Name+" "+path) + " [" + italic("flags") + "]" + arguments(node))
	p.Section("DESCRIPTION")
	p.Paragraph(c.Help)
	parts(p, text.about)
	if len(node.Positional) > 0 {
		p.Section("ARGUMENTS")
		for _, arg := range node.Positional {
			p.Term(italic(arg.Name), arg.Help)
		}
	}
	for i, group := range flagGroups(node.Flags) {
		if i == 0 {
			p.Section("OPTIONS")
		}
		if group.title != "Flags:" {
			p.Subsection(strings.TrimSuffix(group.title, ":"))
		}
		var of []term
		for _, f := range group.flags {
			of = append(of, flagTerm(f))
		}
		flags(p, of)
	}
	if len(text.examples) > 0 {
		p.Section("EXAMPLES")
		p.Block(text.examples)
	}
	if len(text.exits) > 0 {
		terms(p, "EXIT STATUS", text.exits)
	}
	p.Section("SEE ALSO")
	p.Line(bold(of.Name) + "(1), which has the flags of all commands")
	m.pages[name+".1"] = p.Bytes()
}

func (m *manWriter) topic(name string) {
	text, _ := m.program.topic(name)
	name = m.program.Name + "-" + name
	p := m.page(name, 7)
	p.Name(name, lowerFirst(text.title))
	p.Section("DESCRIPTION")
	parts(p, text.about)
	m.pages[name+".7"] = p.Bytes()
}

// lowerFirst makes a sentence into what follows a name.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// parts writes the paragraphs, rows and blocks of a page.
func parts(p *manPage, list []part) {
	for _, part := range list {
		switch {
		case part.rows != nil:
			for _, r := range part.rows {
				p.Term(bold(strings.TrimSpace(r[0])), r[1])
			}
		case part.lines != nil:
			p.Block(part.lines)
		default:
			p.Paragraph(part.text)
		}
	}
}

// terms writes a section of terms with their meanings.
func terms(p *manPage, title string, rows [][2]string) {
	p.Section(title)
	parts(p, []part{{rows: rows}})
}

func arguments(n *kong.Node) string {
	var b strings.Builder
	for _, arg := range n.Positional {
		word := italic(arg.Name)
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

func flags(p *manPage, list []term) {
	for _, t := range list {
		name := bold(t.long)
		if t.short != "" {
			name = bold(t.short) + ", " + name
		}
		if t.value != "" {
			name += "=" + italic(t.value[1:])
		}
		p.Term(name, t.help)
	}
}
