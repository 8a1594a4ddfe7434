package live

import (
	"errors"
	"slices"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

func TestRowOfSession(t *testing.T) {
	doc := document(func(doc *session.Document) {
		doc.Project = `/home/max/src/api`
		doc.Todos.Items = []todo.Item{
			{Content: "one", Status: todo.Completed},
			{Content: "two", Status: todo.Pending},
			{Content: "three", Status: todo.InProgress},
		}
	})
	name := session.Name{Session: "api-0123456789abcdef0123456789abcdef", Agent: "scout"}
	r := NewRow(session.LoadedList{StoredList: session.StoredList{Name: name}, Doc: doc})
	if project, own := r.Location(); project != "api" || own != "+scout" {
		t.Errorf("it is at %q %q", project, own)
	}
	if r.Item != (Item{"3", "three"}) || r.Title != "two" || r.Counts.Open != 2 || r.Agent() != "codex" {
		t.Errorf("got %+v", r)
	}
	doc.Todos.Items[1].Status, doc.Todos.Items[2].Status = todo.Blocked, todo.Completed
	if r := NewRow(session.LoadedList{Doc: doc}); r.Item != (Item{"2", "two"}) {
		t.Errorf("nothing can be worked on: %+v", r.Item)
	}
	doc.Todos.Active = false
	if r := NewRow(session.LoadedList{Doc: doc}); r.Item != (Item{}) {
		t.Errorf("the list is archived: %+v", r.Item)
	}
	changed := time.UnixMilli(7)
	r = NewRow(session.LoadedList{StoredList: session.StoredList{Name: session.Name{Session: "demo"}, Changed: changed}, Err: errors.New("bad")})
	if s := r.Standing; s.Attention != continuation.AttentionUser || s.Reason != "damaged" || s.Since != 7 {
		t.Errorf("damaged: %+v", s)
	}
	if project, own := r.Location(); project != "" || own != "demo" {
		t.Errorf("damaged, it is at %q %q", project, own)
	}
}

func TestRowOrder(t *testing.T) {
	row := func(a continuation.Attention, since todo.Time, name string) Row {
		return Row{StoredList: session.StoredList{Name: session.Name{Session: name}}, Standing: continuation.Standing{Attention: a, Since: since}}
	}
	want := []Row{
		row(continuation.AttentionUser, 9, "z"), row(continuation.AttentionUser, 1, "a"), row(continuation.AttentionLimit, 1, "a"), row(continuation.AttentionHost, 1, "a"),
		row(continuation.AttentionStalled, 1, "a"), row(continuation.AttentionContinuing, 3, "a"), row(continuation.AttentionContinuing, 3, "b"),
		row(continuation.AttentionStopped, 9, "a"), row(continuation.AttentionDone, 9, "a"),
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Compare)
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestRowMatches(t *testing.T) {
	r := NewRow(session.LoadedList{StoredList: session.StoredList{Name: session.Name{Session: "release-2"}}, Doc: document()})
	r.Standing.Why = "paused: the Key is missing"
	for text, want := range map[string]bool{"": true, "REL": true, "codex": true, "one": true, "key": true, "other": false} {
		if r.matches(text) != want {
			t.Errorf("%q matches: %v", text, !want)
		}
	}
}
