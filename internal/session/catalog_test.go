package session

import (
	"errors"
	"testing"
	"time"

	"onward/internal/store"
	"onward/internal/todo"
)

// save saves a list of one item with the given time of its last change.
func save(t *testing.T, s *kept, name Name, at time.Time) {
	t.Helper()
	_, err := s.Update(name, "", todo.TimeOf(at), func(doc *Document) (Change, error) {
		e, err := todo.Add(nil, todo.EndPosition(), []todo.Draft{{Content: "item of " + name.String()}}, todo.TimeOf(at))
		doc.Todos.Active, doc.Todos.Items = true, e.Items
		return Change{What: "added 1 item", List: true}, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCatalogOrder(t *testing.T) {
	s := testStore(t)
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	save(t, s, Name{Session: "b"}, day.AddDate(0, 0, 3))
	save(t, s, Name{Session: "b", Agent: "z"}, day.AddDate(0, 0, 2))
	save(t, s, Name{Session: "b", Agent: "a"}, day.AddDate(0, 0, 1))
	save(t, s, Name{Session: "a"}, day)
	save(t, s, Name{Session: "a", Agent: "new"}, day.AddDate(0, 0, 4)) // the list of this sub-agent makes its session the newest
	save(t, s, Name{Session: "c"}, day)
	for _, foreign := range []string{"x+", "NUL"} {
		s.memory.Damage(store.Key{Kind: &kind, Name: foreign}, nil)
	}
	want := []string{"c", "a", "a+new", "b", "b+z", "b+a"}
	saved, err := s.SavedLists(Name{Session: "c"})
	if err != nil || len(saved) != len(want) {
		t.Fatalf("%v, %v", saved, err)
	}
	for i, e := range saved {
		if e.Name.String() != want[i] || e.Number != i+1 || e.Current != (i == 0) {
			t.Errorf("place %d: %+v, want %s", i+1, e, want[i])
		}
		if found, err := s.find([]string{"1", "2", "3", "4", "5", "6"}[i], Name{Session: "c"}); err != nil || found != e.Name {
			t.Errorf("number %d: %v, %v", i+1, found, err)
		}
	}
	if _, err := s.find("7", Name{Session: "c"}); !errors.Is(err, ErrNoSession) {
		t.Error(err)
	}
	if _, err := s.find("0", Name{Session: "c"}); !errors.Is(err, todo.ErrSyntax) {
		t.Error(err)
	}
}

// TestVisitReadsOnlyWhatItShows damages every document except the two newest. A visit that ends after two must not read the others.
func TestVisitReadsOnlyWhatItShows(t *testing.T) {
	s := testStore(t)
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i, id := range []string{"one", "two", "three", "four"} {
		save(t, s, Name{Session: id}, day.AddDate(0, 0, i))
	}
	for _, id := range []string{"one", "two"} {
		s.memory.Damage(Key(Name{Session: id}), []byte{})
	}
	var lists []LoadedList
	show := func(l LoadedList) { lists = append(lists, l) }
	more, err := s.VisitLists(Name{Session: "none"}, 2, show)
	if err != nil || len(lists) != 2 || more != 2 {
		t.Fatalf("%d lists, %d more, %v", len(lists), more, err)
	}
	for _, l := range lists {
		if l.Err != nil {
			t.Errorf("%s was read: %v", l.Name, l.Err)
		}
	}
	lists = nil
	more, err = s.VisitLists(Name{Session: "none"}, 0, show)
	if err != nil || len(lists) != 4 || more != 0 || lists[3].Err == nil {
		t.Errorf("%d lists, %d more, %v", len(lists), more, err)
	}
}

func TestPruneKeepsCurrentAndNewSessions(t *testing.T) {
	s := testStore(t)
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	save(t, s, Name{Session: "kept"}, day)
	save(t, s, Name{Session: "kept", Agent: "sub"}, day)
	save(t, s, Name{Session: "old"}, day)
	save(t, s, Name{Session: "new"}, day.AddDate(0, 0, 9))
	old, err := s.Prunable(day.AddDate(0, 0, 5), "kept")
	if err != nil {
		t.Fatal(err)
	}
	removed, err := s.Prune(old, day.AddDate(0, 0, 5))
	if err != nil || len(removed) != 1 || removed[0].Session != "old" {
		t.Fatalf("%v, %v", removed, err)
	}
	if doc, err := s.Load(Name{Session: "old"}); doc != nil || err != nil {
		t.Errorf("%v, %v", doc, err)
	}
	saved, err := s.SavedLists(Name{Session: "kept"})
	if err != nil || len(saved) != 3 {
		t.Errorf("%v, %v", saved, err)
	}
}

func TestSource(t *testing.T) {
	s, day := testStore(t), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	save(t, s, Name{Session: "full"}, day)
	if _, err := s.Update(Name{Session: "empty"}, "", todo.TimeOf(day), func(doc *Document) (Change, error) { return Change{What: "began"}, nil }); err != nil {
		t.Fatal(err)
	}
	if name, doc, err := s.FindToCopy("full", Name{}); err != nil || name.Session != "full" || len(doc.Todos.Items) == 0 {
		t.Errorf("%v, %v, %v", name, doc, err)
	}
	for _, text := range []string{"empty", "never", "9"} {
		if _, _, err := s.FindToCopy(text, Name{}); !errors.Is(err, ErrNoSession) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
