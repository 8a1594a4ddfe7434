package cli

import (
	"fmt"
	"strings"

	"onward/internal/render"
)

// ManPages returns the manual as man pages, by their file names: one for the
// program, one for each command, and one for each topic. The date is in their footers.
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

// page begins a page, with the date and the program's version in its footer, and the manual's title in its header.
func (m *manWriter) page(name string, section int) *manPage {
	p, of := &manPage{}, m.program
	p.Line(fmt.Sprintf(".TH %q %d %q %q %q", strings.ToUpper(name), section, m.date, of.Name+" "+of.Version, of.Name+" manual"))
	return p
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
	p.parts(of.allCommands())
	p.Section("OPTIONS")
	p.parts([]part{{flags: of.globalFlags()}})
	p.Section("EXIT STATUS")
	p.parts([]part{{rows: of.exitTable()}})
	p.Section("SEE ALSO")
	see := render.Each(of.Topics(), func(_ int, name *string) string { return bold(of.Name+"-"+*name) + "(7)" })
	p.Line(strings.Join(see, ", "))
	m.pages[of.Name+".1"] = p.Bytes()
}

func (m *manWriter) command(path string, c *Command) {
	of, node := m.program, model(c)
	name := of.Name + "-" + strings.ReplaceAll(path, " ", "-")
	p := m.page(name, 1)
	p.Name(name, lowerFirst(c.Help))
	p.Section("SYNOPSIS")
	p.Line(bold(of.Name+" "+path) + inline(strings.TrimPrefix(synopsis(path, node), path)) + " [" + italic("flags") + "]")
	options := false
	for _, s := range of.sections(path, c, node, page.codes) {
		title := strings.TrimSuffix(s.title, ":")
		switch isFlags := s.parts[0].flags != nil; {
		case title == "":
			p.Section("DESCRIPTION")
		case !isFlags:
			p.Section(strings.ToUpper(title))
		case !options:
			p.Section("OPTIONS")
		}
		if options = s.parts[0].flags != nil; options && title != "Flags" {
			p.Subsection(title)
		}
		p.parts(s.parts)
	}
	p.Section("SEE ALSO")
	p.Line(bold(of.Name) + "(1), which has the flags of all commands")
	m.pages[name+".1"] = p.Bytes()
}

func (m *manWriter) topic(name string) {
	text, _ := m.program.read("topics/" + name)
	name = m.program.Name + "-" + name
	p := m.page(name, 7)
	p.Name(name, lowerFirst(text.title))
	p.Section("DESCRIPTION")
	p.parts(text.about)
	m.pages[name+".7"] = p.Bytes()
}

// lowerFirst turns a sentence into a phrase that follows a name, by writing its first letter in lower case.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// parts writes the paragraphs, rows, blocks and flags of a section.
func (p *manPage) parts(list []part) {
	for _, part := range list {
		if part.text != "" {
			p.Paragraph(part.text)
		}
		switch {
		case part.rows != nil:
			for _, r := range part.rows {
				p.Term(bold(strings.TrimSpace(r[0])), r[1])
			}
		case part.flags != nil:
			for _, r := range part.flags {
				p.Term(flagMarkup(r[0]), r[1])
			}
		case part.lines != nil:
			p.Block(part.lines)
		}
	}
}

// flagMarkup marks a flag, such as -s, --session=ID, as a man page spells it.
func flagMarkup(flag string) string {
	names, value, valued := strings.Cut(strings.TrimSpace(flag), "=")
	markup := strings.ReplaceAll(bold(names), ", ", `\fR, \fB`)
	if valued {
		markup += "=" + italic(value)
	}
	return markup
}
