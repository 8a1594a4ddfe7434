package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

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
	if l.Gate != nil {
		row("gate", "%s", gateRow(l.Gate, now))
	}
	for _, t := range l.Background {
		row("background", "%s %s, since %s", Text(t.Kind), Text(t.ID), age(t.Since, now))
	}
	for _, key := range slices.Sorted(maps.Keys(doc.Settings)) {
		row("setting", "%s = %s", Text(key), Text(doc.Settings[key]))
	}
	return style.paragraphs(rows)
}

// Held says what keeps a session from being continued although it has a list,
// and what ends that; empty where nothing does.
func Held(name session.Name, doc *session.Document) string {
	if doc == nil {
		return ""
	}
	switch doc.State() {
	case session.IsStopped, session.IsAborted, session.IsPaused:
		return fmt.Sprintf("session %s is still %s; `onward resume` continues it", name, state(doc))
	}
	return ""
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
	return encode(struct {
		header
		Project string `json:"project"`
	}{headerOf("onward/project/v1", name), project})
}

// PathJSON is onward/path/v1: the file of a session.
func PathJSON(name session.Name, path string) []byte {
	return encode(struct {
		header
		Path string `json:"path"`
	}{headerOf("onward/path/v1", name), path})
}

// RemovedJSON is onward/removed/v1: the lists that were deleted, or in a dry run would be.
func RemovedJSON(names []session.Name, dryRun bool) []byte {
	type nameJSON struct {
		Session string `json:"session"`
		Agent   string `json:"agent"`
	}
	removed := make([]nameJSON, len(names))
	for i, n := range names {
		removed[i] = nameJSON{n.Session, agentOf(n)}
	}
	return encode(struct {
		Schema  string     `json:"schema"`
		DryRun  bool       `json:"dry_run"`
		Removed []nameJSON `json:"removed"`
	}{"onward/removed/v1", dryRun, removed})
}
