package session

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"onward/internal/todo"
)

func appendLine(t testing.TB, s *kept, line string) {
	t.Helper()
	s.memory.DamageLog(Key(name), append(s.history(t), line...), "")
}

// revs returns the revisions in the history, newest first, as text.
func revs(t testing.TB, s *kept) string {
	t.Helper()
	entries, err := s.History(name)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, e := range entries {
		words = append(words, fmt.Sprint(e.Rev))
	}
	return strings.Join(words, " ")
}

func TestHistoryNamesChanges(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	c := mustAdd(t, s, "b")
	entries, err := s.History(name)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	e := entries[0]
	if e.Rev != 2 || e.Previous != 1 || e.Op != c.Doc.Op || e.At != noon || e.By != "cli" || e.Change != "added 1 item" || !e.Active ||
		len(e.Touched) != 1 || e.Touched[0].Content != "b" || !todo.Equal(e.Items, c.Doc.Todos.Items) {
		t.Errorf("got %+v", e)
	}
}

// TestDamagedHistoryLineIsReported changes each byte of the newest line. Many of these changes are still valid JSON.
func TestDamagedHistoryLineIsReported(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	mustAdd(t, s, "b")
	whole := s.history(t)
	for at := bytes.IndexByte(whole, '\n') + 1; at < len(whole)-1; at++ {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 1
		s.memory.DamageLog(Key(name), damaged, "")
		if entries, err := s.Entries(name); err != nil || len(entries) != 1 {
			t.Fatalf("byte %d: read %d entries of\n%s, %v", at, len(entries), damaged, err)
		}
	}
}

func TestHistoryIgnoresFailedCommit(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	mustAdd(t, s, "b")
	appendLine(t, s, `{"rev":3,"previous":2,"op":"dead","at":"2026-01-01T09:00:00.000Z","change":"never","active":true,"items":[]}`+"\n")
	if got := revs(t, s); got != "2 1" {
		t.Errorf("got %s", got)
	}
	c := mustAdd(t, s, "c") // has the same revision as the commit that failed
	entries, err := s.History(name)
	if err != nil || len(entries) != 3 || entries[0].Op != c.Doc.Op || len(entries[0].Items) != 3 {
		t.Errorf("got %+v, %v", entries, err)
	}
}

func TestHistorySkipsDamage(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	appendLine(t, s, "not JSON\n{\"rev\":0}\n\n{\"rev\":9,\"half\":\n")
	mustAdd(t, s, "b")
	mustAdd(t, s, "c")
	if got := revs(t, s); got != "3 2 1" {
		t.Errorf("got %s", got)
	}
	// Without the history, undo does not work, but the list is intact.
	s.memory.DamageLog(Key(name), nil, "")
	if got := revs(t, s); got != "" || len(mustLoad(t, s).Todos.Items) != 3 {
		t.Errorf("got %s", got)
	}
	mustAdd(t, s, "d")
	if got := revs(t, s); got != "4" {
		t.Errorf("got %s", got)
	}
}

// TestHistoryWithCycle reads a history that was edited by hand, in which undo would run in a circle.
func TestHistoryWithCycle(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	mustAdd(t, s, "b")
	appendLine(t, s, `{"rev":2,"previous":2}`+"\n"+`{"rev":1,"previous":2}`+"\n")
	if got := revs(t, s); got != "" {
		t.Errorf("got %s", got)
	}
}

func TestHistoryIsBoundedInChanges(t *testing.T) {
	s := testStore(t)
	for i := range 3 * keptChanges {
		_, err := s.Update(name, "", noon, func(d *Document) (Change, error) {
			d.Todos.Items = []todo.Item{{ID: "a", Content: fmt.Sprint(i), Status: todo.Pending}}
			return Change{What: "reworded", List: true}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		entries, err := s.History(name)
		if err != nil || len(entries) < min(i+1, keptChanges) || len(entries) > keptChanges+1 || entries[0].Rev != uint64(i+1) {
			t.Fatalf("after %d changes there are %d, %v", i+1, len(entries), err)
		}
	}
	for range 2 * keptLines {
		appendLine(t, s, "{}\n")
	}
	_, err := s.Update(name, "", noon, func(d *Document) (Change, error) {
		d.Rev = keptLines - 1 // the next commit checks the length of the history
		return Change{What: "user prompt", Events: []Event{{Type: "user-prompt"}}}, nil
	})
	if lines := bytes.Count(s.history(t), []byte("\n")); err != nil || lines > keptLines+1 {
		t.Errorf("the history has %d lines, %v", lines, err)
	}
}

// TestEventsAndChangesInterleave records events in commits that do not change the list. Undo and repair must ignore
// them, and so do older versions, which read a line as a state of the list only if it has a rev.
func TestEventsAndChangesInterleave(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	said := Event{
		Type: "turn-end", At: noon + 5, Item: "item", Text: "text", Status: "failed", Class: "server", Tier: "last", Code: -1,
		Problem: "problem", Output: "two\nlines", Took: 7, Calls: 3, Input: 4, Written: 5, Cost: 6,
	}
	for range 3 {
		if _, err := s.Update(name, "", noon, func(*Document) (Change, error) {
			return Change{What: "turn ended", By: "hook", Events: []Event{said, {Type: "continue"}}}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	mustAdd(t, s, "b")
	if got := revs(t, s); got != "5 1" {
		t.Errorf("the changes are %s", got)
	}
	if entries, err := s.Entries(name); err != nil || len(entries) != 2 {
		t.Errorf("%d changes, %v", len(entries), err)
	}
	all, err := s.FullHistory(name)
	if err != nil || len(all) != 5 || all[1].Rev != 0 || all[1].By != "hook" || all[1].At != noon || len(all[1].Events) != 2 || all[1].Events[0] != said {
		t.Errorf("got %+v, %v", all, err)
	}
	data := s.history(t)
	if lines := bytes.Split(data, []byte("\n")); len(lines) != 6 || bytes.Contains(lines[1], []byte(`"rev"`)) || bytes.Contains(lines[1], []byte(`"items"`)) {
		t.Errorf("the history is %s", data)
	}
	doc := mustLoad(t, s)
	entries, _ := s.Entries(name)
	if before, _, err := StateBefore(doc, entries, 1); err != nil || len(before.Items) != 1 {
		t.Errorf("before the last change: %+v, %v", before, err)
	}
}

// TestRecordOmitsFailedChanges checks that the record, like History, omits changes whose commit failed.
func TestRecordOmitsFailedChanges(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	appendLine(t, s, `{"rev":2,"previous":1,"op":"dead","at":"2026-01-01T09:00:00.000Z","change":"never","active":true,"items":[]}`+"\n")
	mustAdd(t, s, "b")
	all, err := s.FullHistory(name)
	if err != nil || len(all) != 2 || len(all[1].Items) != 2 {
		t.Errorf("got %+v, %v", all, err)
	}
}

// TestEventsAreBounded checks that the number of events of one commit is limited, however long the saved input is.
func TestEventsAreBounded(t *testing.T) {
	long := strings.Repeat("é", maxShort)
	short := ShortText("x" + long)
	if len(short) > maxShort+len("…") || !strings.HasPrefix("x"+long, strings.TrimSuffix(short, "…")) || !utf8.ValidString(short) || ShortText("é") != "é" {
		t.Errorf("short is %q", short)
	}
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"mend the parser", 15, "mend the parser"},
		{"mend the parser", 14, "mend the…"},
		{"mend the parser", 9, "mend the…"},
		{"mend the parser", 8, "mend the…"},
		{"mend the größe", 12, "mend the…"},
		{"größe", 3, "gr…"},
		{"a " + strings.Repeat("x", 200), 150, "a " + strings.Repeat("x", 148) + "…"},
		{"mend\nthe parser", 7, "mend…"},
	} {
		if got := CutWords(c.text, c.limit); got != c.want {
			t.Errorf("%q cut to %d bytes is %q, not %q", c.text, c.limit, got, c.want)
		}
	}
	var events []Event
	for i := range 5000 {
		events = append(events, Event{Type: "pause", Text: short, Code: i})
	}
	kept := lastEvents(events)
	line := (&Document{}).entry(nil, 0, Change{What: "paused", Events: events})
	if len(kept) == 0 || kept[len(kept)-1].Code != 4999 || len(line) > 2*maxEvents {
		t.Errorf("%d of %d events are kept, in %d bytes", len(kept), len(events), len(line))
	}
}

// TestUndoNeedsThePreviousState checks that undo works for long lists, whose history contains only few states.
func TestUndoNeedsThePreviousState(t *testing.T) {
	doc := &Document{Todos: Todos{Rev: 5}}
	for _, c := range []struct {
		entries []Entry
		n       int
		want    string
	}{
		{nil, 1, "you asked for change 1, and the history has 0"},
		{[]Entry{{Rev: 5, Previous: 4}}, 1, "you asked for change 1, and the history has 0"},
		{[]Entry{{Rev: 4, Previous: 3}, {Rev: 5, Previous: 4}}, 2, "you asked for change 2, and the history has 1"},
		{[]Entry{{Rev: 5}}, 2, "you asked for change 2, and the history has 1"},
	} {
		if _, _, err := StateBefore(doc, c.entries, c.n); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%d of %d entries: got %v", c.n, len(c.entries), err)
		}
	}
}
