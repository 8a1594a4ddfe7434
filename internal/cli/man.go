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
	m.writeOverview()
	for path, c := range p.leaves() {
		m.writeCommand(path, c)
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
	p.line(fmt.Sprintf(".TH %q %d %q %q %q", strings.ToUpper(name), section, m.date, of.Name+" "+of.Version, of.Name+" manual"))
	return p
}

// writeOverview writes the page of the program.
func (m *manWriter) writeOverview() {
	of := m.program
	p := m.page(of.Name, 1)
	p.name(of.Name, strings.TrimPrefix(of.About, of.Name+" "))
	p.section("SYNOPSIS")
	p.line(bold(of.Name) + " " + italic("command") + " [" + italic("arguments") + "] [" + italic("flags") + "]")
	p.section("DESCRIPTION")
	p.paragraph(of.Details)
	p.section("COMMANDS")
	p.writeParts(of.allCommands())
	p.section("OPTIONS")
	p.writeParts([]part{{flags: of.globalFlags()}})
	p.section("EXIT STATUS")
	p.writeParts([]part{{rows: of.exitTable()}})
	p.section("SEE ALSO")
	see := render.Map(of.Topics(), func(_ int, name *string) string { return bold(of.Name+"-"+*name) + "(7)" })
	p.line(strings.Join(see, ", "))
	m.pages[of.Name+".1"] = p.Bytes()
}

func (m *manWriter) writeCommand(path string, c *Command) {
	of, node := m.program, model(c)
	name := of.Name + "-" + strings.ReplaceAll(path, " ", "-")
	p := m.page(name, 1)
	p.name(name, lowerFirst(c.Help))
	p.section("SYNOPSIS")
	p.line(bold(of.Name+" "+path) + inline(strings.TrimPrefix(synopsis(path, node), path)) + " [" + italic("flags") + "]")
	options := false
	for _, s := range of.commandSections(path, c, node, page.codes) {
		title := strings.TrimSuffix(s.title, ":")
		switch isFlags := s.parts[0].flags != nil; {
		case title == "":
			p.section("DESCRIPTION")
		case !isFlags:
			p.section(strings.ToUpper(title))
		case !options:
			p.section("OPTIONS")
		}
		if options = s.parts[0].flags != nil; options && title != "Flags" {
			p.subsection(title)
		}
		p.writeParts(s.parts)
	}
	p.section("SEE ALSO")
	p.line(bold(of.Name) + "(1), which has the flags of all commands")
	m.pages[name+".1"] = p.Bytes()
}

func (m *manWriter) topic(name string) {
	text, _ := m.program.readPage("topics/" + name)
	name = m.program.Name + "-" + name
	p := m.page(name, 7)
	p.name(name, lowerFirst(text.title))
	p.section("DESCRIPTION")
	p.writeParts(text.about)
	m.pages[name+".7"] = p.Bytes()
}

// lowerFirst turns a sentence into a phrase that follows a name, by writing its first letter in lower case.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// writeParts writes the paragraphs, rows, blocks and flags of a section.
func (p *manPage) writeParts(list []part) {
	for _, part := range list {
		if part.text != "" {
			p.paragraph(part.text)
		}
		switch {
		case part.rows != nil:
			for _, r := range part.rows {
				p.term(bold(strings.TrimSpace(r[0])), r[1])
			}
		case part.flags != nil:
			for _, r := range part.flags {
				p.term(flagMarkup(r[0]), r[1])
			}
		case part.lines != nil:
			p.block(part.lines)
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
