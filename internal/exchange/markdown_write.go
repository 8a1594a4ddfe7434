package exchange

import (
	"strings"

	"onward/internal/todo"
)

// WriteMarkdown writes a list as a check list, such that Decode returns every text, status,
// priority, reason and subtask, and GitHub shows it as one. It holds no character that does not print.
func WriteMarkdown(items []todo.Item) string {
	var b strings.Builder
	for i := range items {
		it := &items[i]
		writeEntry(&b, "", it.Content, note{it.Status, it.Priority, it.Reason})
		for j := range it.Subtasks {
			writeEntry(&b, "  ", it.Subtasks[j].Content, note{status: it.Subtasks[j].Status, reason: it.Subtasks[j].Reason})
		}
	}
	return b.String()
}

func writeEntry(b *strings.Builder, indent, text string, n note) {
	box := "- [ ] "
	if !n.status.Open() {
		box = "- [x] "
	}
	b.WriteString(indent + box)
	// A line break becomes a reference too, so that no item can forge a line of its own.
	// What could be read as a break, or as the beginning of a note, is at the end of a text.
	final := rune(0)
	if strings.HasSuffix(text, `\`) || strings.HasSuffix(text, ")_") || strings.HasSuffix(text, ")*") {
		final = rune(text[len(text)-1])
		text = text[:len(text)-1]
	}
	writeLine(b, text)
	if final != 0 {
		writeReference(b, final)
	}
	writeNote(b, n)
	b.WriteByte('\n')
}
