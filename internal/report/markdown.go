package report

import (
	"fmt"
	"strings"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/todo"
)

// Markdown shows a report as GitHub shows it in the summary of a job. Times are those of the zone.
func Markdown(r Report, zone *time.Location) string {
	var b strings.Builder
	for i := range r.Sessions {
		s := &r.Sessions[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s: %s\n\n", inert(s.title()), s.state())
		if s.Message != "" {
			fmt.Fprintf(&b, "%s\n\n", inert(sentence(s.Message)))
		}
		writeRun(&b, s)
		writeTotals(&b, s)
		writeWorkers(&b, s)
		writeItems(&b, s)
		writeLog(&b, s, scaleOf(s, zone))
	}
	return b.String()
}

// writeRun writes what was asked of the last run, and how that ended.
func writeRun(b *strings.Builder, s *Session) {
	if s.Run == nil {
		return
	}
	for _, row := range s.Run.rows() {
		text := strings.Join(strings.Fields(row.value), " ")
		fmt.Fprintf(b, "- %s: %s\n", row.name, folded(text, row.name == "Task"))
	}
	b.WriteByte('\n')
}

// folded returns the beginning of a long text, and all of it where a reader unfolds it if that is wanted.
func folded(text string, whole bool) string {
	line := short(text, longText)
	if whole && line != text {
		return "<details><summary>" + inert(line) + "</summary>" + inert(text) + "</details>"
	}
	return inert(line)
}

// writeTotals writes one table of one row.
func writeTotals(b *strings.Builder, s *Session) {
	names, rule, values := "|", "|", "|"
	for _, t := range s.figures() {
		names += " " + t.name + " |"
		rule += "---|"
		values += " " + inert(t.value) + " |"
	}
	fmt.Fprintf(b, "%s\n%s\n%s\n", names, rule, values)
}

// writeItems writes a table of the items, those first that are on the list.
func writeItems(b *strings.Builder, s *Session) {
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
		text := inert(short(it.Content, longText))
		if it.Reason != "" {
			text += "<br>" + inert(short(it.Reason, longText))
		}
		for _, sub := range it.Subtasks {
			text += "<br>" + sub.Status.Meaning().Sign + " " + inert(short(sub.Content, longText))
			if sub.Reason != "" {
				text += " (" + inert(short(sub.Reason, longText)) + ")"
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", it.Position, it.Status.Meaning().Sign, text, status, time)
	}
}

// writeLog writes what happened, folded.
func writeLog(b *strings.Builder, s *Session, sc scale) {
	if len(s.Events) == 0 {
		return
	}
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n", todo.Plural(len(s.Events), "event"))
	for i := range s.Events {
		e := &s.Events[i]
		said, own := e.sentence()
		b.WriteString("- " + sc.clock(e.At) + " " + inert(said))
		if own != "" {
			b.WriteString(" " + folded(own, e.Type == string(continuation.UserPrompt)))
		}
		if facts := e.facts(); facts != "" {
			b.WriteString(" (" + inert(facts) + ")")
		}
		b.WriteByte('\n')
		for _, call := range e.made() {
			b.WriteString("  - " + inert(call) + "\n")
		}
		if e.Output != "" && e.failed() {
			b.WriteString("\n" + render.Output(e.Output, 6) + "\n")
		}
	}
	b.WriteString("\n</details>\n")
}

// inert makes a text safe within a line of markdown: it is neither a tag, a link, a mention nor a column of its own. Its lines
// become one.
func inert(s string) string {
	var b strings.Builder
	for _, r := range render.Text(strings.ReplaceAll(s, "\n", " ")) {
		switch r {
		case '\\', '`', '*', '_', '[', ']', '<', '>', '|', '~', '&', '$', '#', '!':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		if r == '@' {
			b.WriteString("<!-- -->")
		}
	}
	return b.String()
}
