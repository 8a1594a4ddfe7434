package exchange

import (
	"strings"

	"onward/internal/todo"
)

// WriteMarkdown writes a list as a check list, such that Decode gives back every text, status,
// priority, reason and subtask, and GitHub shows it as one. It holds no character that does not print.
func WriteMarkdown(items []todo.Item) string {
	var b strings.Builder
	for i := range items {
		it := &items[i]
		writeEntry(&b, "", it.Content, note{it.Status, it.Priority, it.Reason})
		for j := range it.Subtasks {
			writeEntry(&b, "  ", it.Subtasks[j].Content, note{status: it.Subtasks[j].Status})
		}
	}
	return b.String()
}

func writeEntry(b *strings.Builder, indent, text string, n note) {
	box := "- [ ] "
	if n.status == todo.Completed || n.status == todo.Cancelled {
		box = "- [x] "
	}
	b.WriteString(indent + box)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		last := i == len(lines)-1
		if i > 0 {
			b.WriteString(indent + "  ")
			if line != "" && startsBlock(line) {
				writeReference(b, rune(line[0]))
				line = line[1:]
			}
		}
		// A backslash at the end of a line breaks it, and the end of a text could be read as a note.
		final := rune(0)
		if strings.HasSuffix(line, `\`) || last && (strings.HasSuffix(line, ")_") || strings.HasSuffix(line, ")*")) {
			final = rune(line[len(line)-1])
			line = line[:len(line)-1]
		}
		writeLine(b, line)
		if final != 0 {
			writeReference(b, final)
		}
		if !last {
			b.WriteString("\\\n")
		}
	}
	writeNote(b, n)
	b.WriteByte('\n')
}

// startsBlock reports whether a line of text could be read as the start of a block of its own
// (a list, a heading, code, a table), or begins with white space, which a reader would take away.
func startsBlock(line string) bool {
	if strings.IndexByte(" \t-+*#>~`=<|:_", line[0]) >= 0 {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	return digits != line && digits != "" && (digits[0] == '.' || digits[0] == ')')
}
