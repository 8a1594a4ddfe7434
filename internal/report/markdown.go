package report

import (
	"fmt"
	"strings"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/todo"
)

// Markdown is a report as GitHub shows it in the summary of a job. Times are those of the zone.
func Markdown(r Report, zone *time.Location) string { return write(r, zone, false) }

// Text is the same report for a terminal, which shows what is written: without tags, and with no character escaped.
func Text(r Report, zone *time.Location) string { return write(r, zone, true) }

// writer writes a report as markdown, or as plain text that looks like it.
type writer struct {
	strings.Builder
	plain bool
}

func write(r Report, zone *time.Location, plain bool) string {
	b := writer{plain: plain}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b.Builder, "## %s: %s\n\n", b.inert(s.title()), s.state())
		if s.Message != "" {
			fmt.Fprintf(&b.Builder, "%s\n\n", b.inert(sentence(s.Message)))
		}
		b.run(s)
		b.totals(s)
		b.workers(s)
		b.items(s)
		b.log(s, scaleOf(s, zone))
	}
	return b.String()
}

// run writes what was asked of the last run, and how that ended.
func (b *writer) run(s *Session) {
	if s.Run == nil {
		return
	}
	for _, row := range s.Run.rows() {
		text := strings.Join(strings.Fields(row.value), " ")
		fmt.Fprintf(&b.Builder, "- %s: %s\n", row.name, b.folded(text, row.name == "Task" || row.name == "Said last"))
	}
	b.WriteByte('\n')
}

// folded returns the beginning of a long text, and all of it where a reader unfolds it if that is wanted.
func (b *writer) folded(text string, whole bool) string {
	line := short(text, longText)
	switch {
	case whole && b.plain:
		return b.inert(text)
	case whole && line != text:
		return "<details><summary>" + b.inert(line) + "</summary>" + b.inert(text) + "</details>"
	}
	return b.inert(line)
}

// totals writes one table of one row.
func (b *writer) totals(s *Session) {
	if note := s.figuresNote(); note != "" {
		b.WriteString(note + "\n\n")
	}
	names, rule, values := "|", "|", "|"
	for _, t := range s.figures() {
		names += " " + t.name + " |"
		rule += "---|"
		values += " " + b.inert(t.value) + " |"
	}
	fmt.Fprintf(&b.Builder, "%s\n%s\n%s\n", names, rule, values)
}

// breakLine begins another line within a cell of a table.
func (b *writer) breakLine() string {
	if b.plain {
		return "; "
	}
	return "<br>"
}

// items writes a table of the items, those first that are on the list.
func (b *writer) items(s *Session) {
	if len(s.Items) == 0 {
		return
	}
	b.WriteString("\n| | | Item | Status | In progress |\n|---|---|---|---|---|\n")
	for i := range s.Items {
		it := &s.Items[i]
		status, time := todo.WordsFor(it.Status, it.Reason), ""
		if it.Position == "" {
			status += ", removed"
		}
		if it.Spent != nil {
			time = spent(it)
		}
		text := b.inert(short(it.Content, longText))
		if it.Reason != "" {
			text += b.breakLine() + b.inert(short(it.Reason, longText))
		}
		for _, sub := range it.Subtasks {
			text += b.breakLine() + sub.Status.Meaning().Sign + " " + b.inert(short(sub.Content, longText))
			if sub.Reason != "" {
				text += " (" + b.inert(short(sub.Reason, longText)) + ")"
			}
		}
		fmt.Fprintf(&b.Builder, "| %s | %s | %s | %s | %s |\n", it.Position, it.Status.Meaning().Sign, text, status, time)
	}
}

// log writes what happened, folded.
func (b *writer) log(s *Session, sc scale) {
	if len(s.Events) == 0 {
		return
	}
	before, after, end := "<details><summary>", "</summary>", "\n</details>\n"
	if b.plain {
		before, after, end = "", ":", ""
	}
	fmt.Fprintf(&b.Builder, "\n%s%s%s\n\n", before, todo.Plural(len(s.Events), "event"), after)
	for i := range s.Events {
		e := &s.Events[i]
		said, own := e.sentence()
		b.WriteString("- " + sc.clock(e.At) + " " + b.inert(said))
		if own != "" {
			b.WriteString(" " + b.folded(own, e.Type == string(continuation.UserPrompt) || e.Type == string(continuation.TurnEnd)))
		}
		if facts := e.facts(); facts != "" {
			b.WriteString(" (" + b.inert(facts) + ")")
		}
		b.WriteByte('\n')
		for _, call := range e.made() {
			b.WriteString("  - " + b.inert(call) + "\n")
		}
		if e.Output != "" && e.failed() {
			b.WriteString("\n" + render.Output(e.Output, 6) + "\n")
		}
	}
	b.WriteString(end)
}

// inert makes a text safe within a line of markdown: it is neither a tag, a link, a mention nor a column of its own. Its lines
// become one.
func (b *writer) inert(s string) string {
	s = render.Text(strings.ReplaceAll(s, "\n", " "))
	if b.plain {
		return s
	}
	var safe strings.Builder
	for _, r := range s {
		switch r {
		case '\\', '`', '*', '_', '[', ']', '<', '>', '|', '~', '&', '$', '#', '!':
			safe.WriteByte('\\')
		}
		safe.WriteRune(r)
		if r == '@' {
			safe.WriteString("<!-- -->")
		}
	}
	return safe.String()
}
