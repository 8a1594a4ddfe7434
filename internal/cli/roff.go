package cli

import (
	"bytes"
	"strings"
)

// manPage is a man page that is being written.
type manPage struct {
	bytes.Buffer
	heading bool // the last thing written was a heading, after which no paragraph begins
}

// Section begins a section.
func (p *manPage) Section(title string) {
	p.Line(".SH " + inline(title))
	p.heading = true
}

// Subsection begins a part of a section.
func (p *manPage) Subsection(title string) {
	p.Line(".SS " + inline(title))
	p.heading = true
}

// Name writes the section NAME.
func (p *manPage) Name(name, what string) {
	p.Section("NAME")
	p.Line(wrap(inline(name) + ` \- ` + inline(strings.TrimSuffix(what, "."))))
}

// Paragraph writes a paragraph of text.
func (p *manPage) Paragraph(text string) {
	p.begin()
	p.Line(wrap(inline(text)))
}

// begin separates a paragraph from the text before it.
func (p *manPage) begin() {
	if !p.heading {
		p.WriteString(".PP\n")
	}
	p.heading = false
}

// Line writes markup that is ready.
func (p *manPage) Line(markup string) {
	p.heading = false
	p.WriteString(markup + "\n")
}

// Term writes a term, which is markup, and what it means.
func (p *manPage) Term(markup, text string) { p.Line(".TP\n" + markup + "\n" + wrap(inline(text))) }

// Block writes lines unchanged.
func (p *manPage) Block(lines []string) {
	p.begin()
	p.WriteString(".nf\n.RS 4\n")
	for _, l := range lines {
		p.WriteString(guard(inline(l)) + "\n")
	}
	p.WriteString(".RE\n.fi\n")
}

// bold and italic mark a text.
func bold(s string) string { return `\fB` + inline(s) + `\fR` }

// italic marks a placeholder.
func italic(s string) string { return `\fI` + inline(s) + `\fR` }

// wrap breaks a text into lines, since a line of a page's source is not to be longer than a terminal's.
func wrap(text string) string {
	const width = 78
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && written(line)+1+written(word) > width {
			lines = append(lines, guard(line))
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, guard(line)), "\n")
}

// written returns how long a text is in a page's source, where a sign beyond ASCII becomes an escape such as \[u25CB].
func written(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 127 {
			n += len(`\[u25CB]`) - 1
		}
	}
	return n
}

// guard keeps a line from being taken for a request, which begins with a dot or an apostrophe.
func guard(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// inline escapes what troff would take for its own.
func inline(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "`", `\(ga`).Replace(s)
}
