package session

import (
	"testing"

	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/storetest"
)

// noon is the time of these tests.
const noon todo.Time = 1_767_258_000_000

var name = Name{Session: "s"}

// kept is a store in memory whose content a test can damage.
type kept struct {
	*Store
	memory *storetest.Memory
}

func testStore(testing.TB) *kept {
	memory := storetest.NewMemory()
	return &kept{&Store{Backend: memory, Notes: memory}, memory}
}

// content returns the backend's bytes of a list's document.
func (s *kept) content(t testing.TB, n Name) []byte {
	t.Helper()
	v, err := s.Backend.Get(Key(n))
	if err != nil {
		t.Fatal(err)
	}
	return v.Data
}

// history returns the backend's bytes of the list's log.
func (s *kept) history(t testing.TB) []byte {
	t.Helper()
	_, data, _, err := store.GetWithLog(s.Backend, Key(name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// addItem adds one item as a change of the list.
func addItem(s *kept, text string) (Commit, error) {
	return s.Update(name, "", noon, func(d *Document) (Change, error) {
		edit, err := todo.Add(d.Todos.Items, todo.EndPosition(), []todo.Draft{{Content: text}}, noon)
		if err != nil {
			return Change{}, err
		}
		d.Todos.Items, d.Todos.Active = edit.Items, true
		return Change{What: edit.What, By: "cli", List: true, Touched: edit.Touched}, nil
	})
}

func mustAdd(t testing.TB, s *kept, text string) Commit {
	t.Helper()
	c, err := addItem(s, text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustLoad(t testing.TB, s *kept) *Document {
	t.Helper()
	d, err := s.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if d == nil {
		t.Fatal("there is no document")
	}
	return d
}
