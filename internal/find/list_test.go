package find

import (
	"errors"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestChecksOfASession asks of a session with nothing, with a message, and with a list, whether it is there.
func TestChecksOfASession(t *testing.T) {
	const noon todo.Time = 1_767_258_000_000
	t.Setenv("ONWARD_STORE", t.TempDir())
	t.Setenv("ONWARD_RUN", "")
	for _, c := range []struct {
		name                       string
		save                       func(List) error
		exists, watchable, isSaved bool
	}{
		{"nothing", func(List) error { return nil }, false, false, false},
		{"a-message", func(l List) error {
			_, err := l.Calls().Update(l.Name, "", noon, func(d *schedule.Document) (schedule.Change, error) {
				return schedule.PushMessage(d, "hello", "", noon)
			})
			return err
		}, false, false, true},
		{"a-list", func(l List) error {
			_, err := l.Store.Update(l.Name, "", noon, func(doc *session.Document) (session.Change, error) {
				return session.Change{What: "did something"}, nil
			})
			return err
		}, true, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Finder{Flags: Flags{Session: &c.name}}
			list, err := f.List(t.TempDir())
			if err == nil {
				err = c.save(list)
			}
			if err != nil {
				t.Fatal(err)
			}
			doc, err := list.Store.Load(list.Name)
			if err != nil {
				t.Fatal(err)
			}
			for i, err := range []error{list.CheckExists(doc), list.CheckWatchable(), list.CheckSaved()} {
				is := []bool{c.exists, c.watchable, c.isSaved}[i]
				if is != (err == nil) || err != nil && !errors.Is(err, session.ErrNoSession) {
					t.Errorf("got %v, want no error: %v", err, is)
				}
			}
		})
	}
}
