package cmd

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"onward/internal/agents"
	continuation "onward/internal/continue"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// sessionText shows the saved state of a session, one fact a line.
func sessionText(name session.Name, path string, doc *session.Document, standing continuation.Standing, several string, style render.Style, now time.Time) string {
	rows := [][]string{{"session", name.String()}, {"file", render.Text(path)}}
	row := func(key, format string, args ...any) {
		rows = append(rows, []string{key, fmt.Sprintf(format, args...)})
	}
	if doc == nil {
		row("list", output.NoList)
		return style.Paragraphs(rows)
	}
	if doc.Project != "" {
		row("project", "%s", render.Text(doc.Project))
	}
	if member := doc.Member(); member != "" {
		row("member", "%s, in the team of session %s", render.Text(member), name.Session)
	}
	row("state", "%s", output.StateText(standing))
	row("list", "%s", output.ListText(doc))
	row("changed", "%s, revision %d", render.Age(doc.UpdatedAt, now), doc.Rev)
	if o := doc.Owner; o != nil {
		ended := ""
		if o.EndedAt != 0 {
			ended = ", ended"
		}
		row("owner", "%s, session %s, seen %s%s", render.Text(o.Agent), render.Text(o.Session), render.Age(o.SeenAt, now), ended)
	}
	if several != "" { // that take over from each other
		row("agents", "%s", render.Text(several))
	}
	l := &doc.Continuation
	row("continued", "%d since the last prompt, %d in all", l.TotalPrompt, l.TotalSession)
	row("in a row", "%d without work, %d without progress", l.Attempts, l.Stagnation)
	if g := doc.Goal; g != nil {
		row("goal", "%s, which %s follows by itself (%s)", render.Text(g.Text), render.Text(agents.TitleOf(g.Agent)), render.Text(g.State))
	}
	if l.Gate != nil {
		row("gate", "%s", output.GateRow(l.Gate, now))
	}
	for _, t := range l.Background {
		row("background", "%s %s, since %s", render.Text(t.Kind), render.Text(t.ID), t.Since.ClockText(todo.TimeOf(now)))
	}
	for _, key := range slices.Sorted(maps.Keys(doc.Settings)) {
		row("setting", "%s = %s", render.Text(key), render.Text(doc.Settings[key]))
	}
	return style.Paragraphs(rows)
}
