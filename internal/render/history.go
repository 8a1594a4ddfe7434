package render

import (
	"time"

	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// History shows changes of a list: how long ago, by whom, what; of a single item, which.
func History(entries []session.Entry, style Style, now time.Time) string {
	rows := make([][]string, len(entries))
	for i, e := range entries {
		what := Text(e.Change)
		if len(e.Touched) == 1 {
			what += ": " + Text(e.Touched[0].Content)
		}
		rows[i] = []string{age(e.At, now), Text(e.By), what}
	}
	return style.table(rows, 2)
}

// age says how long ago something was, as people say it. A month is the twelfth part of a year of 365 days.
func age(at todo.Time, now time.Time) string {
	const hour, day = time.Hour, 24 * time.Hour
	d := now.Sub(at.Time())
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{365 * day, "year"}, {730 * hour, "month"}, {day, "day"}, {hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / unit.length); n > 0 {
			return todo.Plural(n, unit.name) + " ago"
		}
	}
	return "just now"
}

// HistoryJSON is onward/history/v1: the changes of a list, newest first.
func HistoryJSON(name session.Name, entries []session.Entry) []byte {
	w := start("onward/history/v1", name, 256*len(entries)+256)
	w.Name("changes")
	w.Open('[')
	for i := range entries {
		e := &entries[i]
		w.Open('{')
		w.Uint("rev", e.Rev)
		w.Millis("at", int64(e.At))
		w.String("by", e.By)
		w.String("change", e.Change)
		w.Name("items")
		object.WriteList(w, e.Touched)
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}
