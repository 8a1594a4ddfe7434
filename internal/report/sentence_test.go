package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"onward/internal/session"
)

// constants returns the values of all string constants of a type in the files that match a pattern.
func constants(t *testing.T, pattern, typ string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %d files", pattern, err, len(files))
	}
	var out []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			of, ok := spec.Type.(*ast.Ident)
			value, text := spec.Values[0].(*ast.BasicLit)
			if ok && text && of.Name == typ {
				word, _ := strconv.Unquote(value.Value)
				out = append(out, word)
			}
			return true
		})
	}
	if len(out) < 4 {
		t.Fatalf("%s has %q only", typ, out)
	}
	return out
}

var aSentence = regexp.MustCompile(`^(The|A|An|Work|onward) [^_]*[a-z0-9)]\.$`)

// Every kind of event, end of a turn, error and tier has its own sentence in the log.
func TestEveryEventIsASentence(t *testing.T) {
	var all []Event
	for _, typ := range constants(t, "../continue/event.go", "Type") {
		switch typ {
		case "todos", "edited", "cleared", "loaded", "undone", "tool-start", "tool-end":
			continue // the history has no such event
		}
		all = append(all, Event{Type: typ})
	}
	for _, class := range constants(t, "../continue/event.go", "ErrorClass") {
		if class != "unknown" {
			all = append(all, Event{Type: "turn-end", Status: "failed", Class: class}, Event{Type: "error", Class: class})
		}
	}
	for _, status := range constants(t, "../continue/event.go", "TurnStatus") {
		if status != "done" { // an end without a status is reported like "done"
			all = append(all, Event{Type: "turn-end", Status: status})
		}
	}
	for _, tier := range constants(t, "../continue/decide.go", "Tier") {
		all = append(all, Event{Type: session.Continued, Tier: tier})
	}
	one := 1
	all = append(
		all,
		Event{Type: session.Answered, Status: "done"}, Event{Type: session.Answered, Status: "paused", Text: "the fixture is missing"},
		Event{Type: session.Gated}, Event{Type: session.Gated, Code: &one}, Event{Type: session.Gated, Problem: "it ran longer than 1s"},
		Event{Type: EventListChanged, By: "cli", did: "added 2 items"}, Event{Type: EventListChanged, By: "claude", did: "added 2 items"},
		Event{Type: EventListChanged, By: "claude", did: "owner claude; the list was written"}, Event{Type: EventListChanged, By: "hook", did: "user prompt: the finished list was cleared; run started"},
	)
	all = append(all, Event{Type: EventToolCalled, did: "succeeded"})
	seen := map[string]Event{}
	for _, e := range all {
		line := e.line()
		if !aSentence.MatchString(line) {
			t.Errorf("%+v is no sentence: %q", e, line)
		}
		if strings.Contains(line, "An event was recorded") {
			t.Errorf("%+v has no sentence of its own", e)
		}
		if before, twice := seen[line]; twice {
			t.Errorf("%+v and %+v are both %q", before, e, line)
		}
		seen[line] = e
	}
}

// A failure after which the agent waited is reported only with the continuation that follows.
func TestWaitsAreReported(t *testing.T) {
	at := func(n int, e session.Event) session.Entry {
		return session.Entry{At: minute(n), Events: []session.Event{e}}
	}
	failed := session.Event{Type: "turn-end", Status: "failed", Class: "rate_limit"}
	again, ended := session.Event{Type: session.Continued}, session.Event{Type: "turn-end", Status: "done"}
	s := Build(Source{Entries: []session.Entry{at(0, failed), at(6, again), at(7, ended), at(9, again), at(10, failed), at(11, session.Event{Type: "user-prompt"}), at(12, again)}})
	var got []string
	for i := range s.Events {
		if e := &s.Events[i]; e.Type == session.Continued {
			got = append(got, e.line())
		}
	}
	want := "onward waited 6 min, and sent the agent back to work.|onward sent the agent back to work.|onward sent the agent back to work."
	if strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
}
