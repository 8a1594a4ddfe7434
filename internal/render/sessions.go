package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// Sessions shows saved sessions: name, age, state, how many items are open, the owner, the project.
// The current one is marked with an asterisk.
func Sessions(list []session.Listed, style Style, now time.Time) string {
	if len(list) == 0 {
		return "no sessions\n"
	}
	rows := make([][]string, len(list))
	for i, l := range list {
		name := style.cutID(l.Name.String())
		if l.Current {
			name = "* " + name
		} else {
			name = "  " + name
		}
		if l.Err != nil {
			rows[i] = []string{name, age(todo.TimeOf(l.Changed), now), "cannot be read", "", "", ""}
			continue
		}
		rows[i] = []string{name, age(l.Doc.UpdatedAt, now), string(l.Doc.State()), "", "", Text(l.Doc.Project)}
		if c := todo.Count(l.Doc.Todos.Current()); c.Total > 0 {
			rows[i][3] = fmt.Sprintf("%d of %d open", c.Open, c.Total)
		}
		if o := l.Doc.Owner; o != nil {
			rows[i][4] = Text(o.Agent)
		}
	}
	return style.table(rows, 3)
}

// SessionsJSON is onward/sessions/v1: saved sessions, without their items.
func SessionsJSON(list []session.Listed) []byte {
	w := object.NewWriter(512*len(list) + 128)
	w.Open('{')
	w.String("schema", "onward/sessions/v1")
	w.Name("sessions")
	w.Open('[')
	for _, l := range list {
		w.Open('{')
		w.String("session", l.Name.Session)
		w.String("agent", agentOf(l.Name))
		w.Bool("current", l.Current)
		if l.Err != nil {
			w.String("error", l.Err.Error())
			w.Close('}')
			continue
		}
		w.String("state", string(l.Doc.State()))
		w.Millis("updated_at", int64(l.Doc.UpdatedAt))
		w.SomeString("project", l.Doc.Project)
		w.Name("counts")
		todo.WriteCounts(w, todo.Count(l.Doc.Todos.Current()))
		if o := l.Doc.Owner; o != nil {
			w.Name("owner")
			writeOwner(w, o)
		}
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}

func writeOwner(w *object.Writer, o *session.Owner) {
	w.Open('{')
	w.String("agent", o.Agent)
	w.String("session", o.Session)
	w.SomeMillis("seen_at", int64(o.SeenAt))
	w.SomeMillis("ended_at", int64(o.EndedAt))
	w.Close('}')
}

// Session shows what is saved of one session, a line each.
func Session(name session.Name, path string, doc *session.Document, style Style, now time.Time) string {
	rows := [][]string{{"session", name.String()}, {"file", Text(path)}}
	row := func(key, format string, args ...any) {
		rows = append(rows, []string{key, fmt.Sprintf(format, args...)})
	}
	if doc == nil {
		row("list", "none is saved")
		return style.paragraphs(rows)
	}
	if doc.Project != "" {
		row("project", "%s", Text(doc.Project))
	}
	row("state", "%s", state(doc))
	row("list", "%s", Totals(todo.Count(doc.Todos.Items)))
	row("changed", "%s, revision %d", age(doc.UpdatedAt, now), doc.Rev)
	if o := doc.Owner; o != nil {
		ended := ""
		if o.EndedAt != 0 {
			ended = ", ended"
		}
		row("owner", "%s, session %s, seen %s%s", Text(o.Agent), Text(o.Session), age(o.SeenAt, now), ended)
	}
	l := &doc.Continuation
	row("continued", "%d since the last prompt, %d in all", l.TotalPrompt, l.TotalSession)
	row("in a row", "%d without work, %d without progress", l.Attempts, l.Stagnation)
	for _, t := range l.Background {
		row("background", "%s %s, since %s", Text(t.Kind), Text(t.ID), age(t.Since, now))
	}
	for _, key := range slices.Sorted(maps.Keys(doc.Settings)) {
		row("setting", "%s = %s", Text(key), Text(doc.Settings[key]))
	}
	return style.paragraphs(rows)
}

// state is the state in words, with the reason where there is one.
func state(doc *session.Document) string {
	s := string(doc.State())
	switch l := &doc.Continuation; doc.State() {
	case session.IsPaused:
		s += ": " + Text(l.Paused.Reason)
	case session.IsFailed:
		s += ": " + Text(l.Error.Class)
	}
	return s
}

// Removed says of sessions what was done with them, a line each: `deleted demo`.
func Removed(done string, names []session.Name) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(done + " " + n.String() + "\n")
	}
	return b.String()
}

// ChosenJSON is onward/project/v1: the session of a project.
func ChosenJSON(name session.Name, project string) []byte {
	w := start("onward/project/v1", name, 256)
	w.String("project", project)
	w.Close('}')
	return finish(w)
}

// PathJSON is onward/path/v1: the file of a session.
func PathJSON(name session.Name, path string) []byte {
	w := start("onward/path/v1", name, 256)
	w.String("path", path)
	w.Close('}')
	return finish(w)
}

// RemovedJSON is onward/removed/v1: the lists that were deleted, or in a dry run would be.
func RemovedJSON(names []session.Name, dryRun bool) []byte {
	w := object.NewWriter(256)
	w.Open('{')
	w.String("schema", "onward/removed/v1")
	w.Bool("dry_run", dryRun)
	w.Name("removed")
	w.Open('[')
	for _, n := range names {
		w.Open('{')
		w.String("session", n.Session)
		w.String("agent", agentOf(n))
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}
