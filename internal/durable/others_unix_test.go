//go:build unix

package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
)

// TestOthersDoNotAct reads what another user has written to a store, or may write: a list is read, though nothing in it acts; what
// makes something run is refused, until the user trusts the store.
func TestOthersDoNotAct(t *testing.T) {
	for _, c := range []struct {
		name string
		root bool
		to   func(path string) error
	}{
		{"owned by another user", true, func(path string) error { return os.Chown(path, 1234, 1234) }},
		{"writable by everybody", false, func(path string) error { return os.Chmod(path, 0o666) }},
	} {
		if c.root && os.Geteuid() != 0 {
			continue
		}
		s := testStore(t)
		mustAdd(t, s, "a")
		if _, err := s.Update(name, "", noon, func(doc *session.Document) (session.Change, error) {
			doc.Settings = map[string]string{"gate": "make", "max-total": "1000"}
			return session.Change{What: "set"}, nil
		}); err != nil {
			t.Fatal(err)
		}
		files := &Store{Dir: s.Dir}
		calls := &schedule.Store{Backend: files}
		push := func() error {
			_, err := calls.Update(name, "", noon, func(d *schedule.Document) (schedule.Change, error) { return schedule.PushMessage(d, "go on", "", noon) })
			return err
		}
		if err := push(); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{s.Path(name), filepath.Join(s.Dir, "schedules", name.String()+".json")} {
			if err := c.to(path); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := calls.Load(name); !errors.Is(err, store.ErrOtherUser) {
			t.Errorf("%s: read the calls: %v", c.name, err)
		}
		if err := push(); !errors.Is(err, store.ErrOtherUser) {
			t.Errorf("%s: write to the calls: %v", c.name, err)
		}
		doc, err := s.Load(name)
		if err != nil || !doc.IsUntrusted() || len(doc.Current()) != 1 {
			t.Fatalf("%s: read the list: %+v, %v", c.name, doc, err)
		}
		files.Trusts = func() bool { return true }
		if err := push(); err != nil {
			t.Errorf("%s, and trusted: %v", c.name, err)
		}
		mustAdd(t, s, "b")
		if doc, err = s.Load(name); err != nil || len(doc.Settings) != 1 || doc.Settings["gate"] != "make" {
			t.Errorf("%s: after a change of this user, the settings are %v, %v", c.name, doc.Settings, err)
		}
	}
}
