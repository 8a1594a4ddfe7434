package exchange

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"onward/internal/todo"
)

// mdLine is a line of a markdown file that can belong to a list.
type mdLine struct {
	at      int    // offset of text in the file
	indent  int    // columns of white space before text; a tab leads to the next multiple of four
	text    []byte // without white space around it
	broken  bool   // two spaces at its end: the next line begins a new one
	fenced  bool   // it is part of a block of code, whose fences included
	content []byte // of a fenced line: all of it, with its indentation
}

// mdLines goes through the lines of a markdown file, and leaves out the front matter and comments.
func mdLines(data []byte) iter.Seq[mdLine] {
	return func(yield func(mdLine) bool) {
		var code fence
		comment := false
		at := frontMatter(data)
		for raw := range bytes.Lines(data[at:]) {
			line := newLine(bytes.TrimRight(raw, "\r\n"), at)
			at += len(raw)
			switch {
			case comment:
				comment = !bytes.Contains(line.text, []byte("-->"))
				continue
			case code.open(line):
				line.fenced = true
				code = code.after(line)
			case bytes.HasPrefix(line.text, []byte("<!--")):
				comment = !bytes.Contains(line.text, []byte("-->"))
				continue
			default:
				code = opening(line)
				line.fenced = code.length > 0
			}
			if !yield(line) {
				return
			}
		}
	}
}

func newLine(raw []byte, at int) mdLine {
	line := mdLine{content: raw}
	start := 0
	for ; start < len(raw) && (raw[start] == ' ' || raw[start] == '\t'); start++ {
		if line.indent++; raw[start] == '\t' {
			line.indent = (line.indent + 3) &^ 3
		}
	}
	line.at = at + start
	line.text = bytes.TrimRight(raw[start:], " \t")
	line.broken = len(line.text) > 0 && bytes.HasSuffix(raw, []byte("  "))
	return line
}

// dedented returns a fenced line without the indentation of the item that it belongs to.
func (l mdLine) dedented(columns int) []byte {
	rest := l.content
	for ; columns > 0 && len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t'); columns-- {
		if rest[0] == '\t' {
			columns -= 3
		}
		rest = rest[1:]
	}
	return rest
}

// fence is what a block of code was opened with; none is open if its length is 0.
type fence struct {
	char           byte
	length, indent int
}

// opening returns the fence that a line opens.
func opening(l mdLine) fence {
	if len(l.text) == 0 || l.text[0] != '`' && l.text[0] != '~' {
		return fence{}
	}
	char := l.text[0]
	info := bytes.TrimLeft(l.text, string(char))
	length := len(l.text) - len(info)
	if length < 3 || char == '`' && bytes.IndexByte(info, '`') >= 0 {
		return fence{}
	}
	return fence{char, length, l.indent}
}

// open reports whether a line is still within the code.
// A line with less indentation ends the item, and the code with it.
func (f fence) open(l mdLine) bool {
	return f.length > 0 && (len(l.text) == 0 || f.indent < 2 || l.indent >= f.indent)
}

// after returns the fence that is open after a line of the code.
func (f fence) after(l mdLine) fence {
	if closing := opening(l); closing.char == f.char && closing.length >= f.length && len(l.text) == closing.length {
		return fence{}
	}
	return f
}

// frontMatter returns the length of the block between two lines of --- at the start of a file.
func frontMatter(data []byte) int {
	rest, ok := bytes.CutPrefix(data, []byte("---"))
	if !ok {
		return 0
	}
	if first, _, _ := bytes.Cut(rest, []byte("\n")); len(bytes.TrimSpace(first)) > 0 {
		return 0
	}
	end := bytes.Index(rest, []byte("\n---"))
	if end < 0 {
		return 0
	}
	end += len("---\n---")
	if next := bytes.IndexByte(data[end:], '\n'); next >= 0 {
		return end + next + 1
	}
	return len(data)
}

// bullet is the start of a list item: - * + or a number followed by . or ).
type bullet struct {
	box    bool
	status todo.Status
	width  int // of everything before the text
}

// parseBullet reads the start of a list item.
func parseBullet(s []byte) (bullet, bool) {
	width := 0
	for width < min(len(s), 9) && s[width] >= '0' && s[width] <= '9' {
		width++
	}
	if width >= len(s) || width == 0 && strings.IndexByte("-*+", s[0]) < 0 || width > 0 && s[width] != '.' && s[width] != ')' {
		return bullet{}, false
	}
	width++
	if width < len(s) && s[width] != ' ' && s[width] != '\t' || isRule(s) {
		return bullet{}, false
	}
	width += spaces(s[width:])
	b := bullet{status: todo.Pending, width: width}
	if status, more, ok := todo.ParseBox(s[width:]); ok {
		b.box, b.status, b.width = true, status, width+more
	}
	return b, true
}

// isRule reports a line across the page, such as * * *, which looks like a list.
func isRule(s []byte) bool {
	signs := 0
	for _, c := range s {
		if c == s[0] {
			signs++
		} else if c != ' ' && c != '\t' {
			return false
		}
	}
	return signs >= 3 && (s[0] == '-' || s[0] == '*' || s[0] == '_')
}

func spaces(s []byte) int { return len(s) - len(bytes.TrimLeft(s, " \t")) }

// strangeBox returns the box with one sign that a bullet without a known box begins with. A digit is a reference.
func strangeBox(s []byte) string {
	box, ok := bytes.CutPrefix(s, []byte("["))
	sign, size := utf8.DecodeRune(box)
	if !ok || len(box) <= size || box[size] != ']' || unicode.IsDigit(sign) {
		return ""
	}
	if rest := box[size+1:]; len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
		return "" // a link
	}
	return string(s[:size+2])
}

// hasBox reports whether a file has a check box, so that its other lists are prose.
func hasBox(data []byte) bool {
	for line := range mdLines(data) {
		if !line.fenced {
			if b, ok := parseBullet(line.text); ok && b.box {
				return true
			}
		}
	}
	return false
}
