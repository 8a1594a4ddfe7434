package cli

import (
	"bytes"
	"strings"
)

// manPage is a man page that is being written.
type manPage struct {
	bytes.Buffer
	heading bool // a heading was written last; a paragraph after it needs no request of its own
}

// section begins a section.
func (p *manPage) section(title string) {
	p.line(".SH " + inline(title))
	p.heading = true
}

// subsection begins a part of a section.
func (p *manPage) subsection(title string) {
	p.line(".SS " + inline(title))
	p.heading = true
}

// name writes the section NAME.
func (p *manPage) name(name, what string) {
	p.section("NAME")
	p.line(wrap(inline(name) + ` \- ` + inline(strings.TrimSuffix(what, "."))))
}

// paragraph writes a paragraph of text.
func (p *manPage) paragraph(text string) {
	p.begin()
	p.line(wrap(inline(text)))
}

// begin separates a paragraph from the text before it.
func (p *manPage) begin() {
	if !p.heading {
		p.WriteString(".PP\n")
	}
	p.heading = false
}

// line writes a line of markup as it is.
func (p *manPage) line(markup string) {
	p.heading = false
	p.WriteString(markup + "\n")
}

// term writes a term, which is markup already, and its meaning.
func (p *manPage) term(markup, text string) { p.line(".TP\n" + markup + "\n" + wrap(inline(text))) }

// block writes lines unchanged.
func (p *manPage) block(lines []string) {
	p.begin()
	p.WriteString(".nf\n.RS 4\n")
	for _, l := range lines {
		p.WriteString(guard(inline(l)) + "\n")
	}
	p.WriteString(".RE\n.fi\n")
}

// bold marks a text.
func bold(s string) string { return `\fB` + inline(s) + `\fR` }

// italic marks a text, such as a placeholder.
func italic(s string) string { return `\fI` + inline(s) + `\fR` }

// wrap breaks a text into lines, because checkers of man pages object to source lines beyond 80 columns.
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

// written returns the length of a text in the source of a page, where a character beyond ASCII is an escape such as \[u25CB].
func written(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 127 {
			n += len(`\[u25CB]`) - 1
		}
	}
	return n
}

// guard keeps troff from reading a line that begins with a dot or an apostrophe as a request.
func guard(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// inline escapes the characters that troff would interpret.
func inline(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "`", `\(ga`).Replace(s)
}
