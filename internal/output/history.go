package output

import (
	"time"

	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/session"
)

// HistoryText shows the changes of a list: when, by whom, what; if a change was about one item, also which.
func HistoryText(entries []session.Entry, style render.Style, now time.Time) string {
	if len(entries) == 0 {
		return "no changes\n"
	}
	return style.Table(render.Map(entries, func(_ int, e *session.Entry) []string {
		what := render.Text(e.Change)
		if len(e.Touched) == 1 {
			what += ": " + render.Text(e.Touched[0].Content)
		}
		return []string{render.Age(e.At, now), render.Text(e.By), what}
	}), 2)
}

// HistoryJSON is onward/history/v1: the changes of a list, newest first.
func HistoryJSON(name session.Name, entries []session.Entry) any {
	return Document("onward/history/v1", name, "changes", render.Map(entries, func(_ int, e *session.Entry) Members {
		return Members{"rev", e.Rev, "at", e.At, "by", e.By, "change", e.Change, "items", object.ListOf(e.Touched)}
	}))
}
