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

// TestTakenOverDocument changes a list that another user owns and a group may write. It is this user's then, so what the group would write
// into it would act as this user: nobody else may write it any more, unless the store is trusted.
func TestTakenOverDocument(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes files that are not its own")
	}
	for trusted, want := range map[bool]os.FileMode{false: 0o644, true: 0o664} {
		s := testStore(t)
		s.Backend = &Store{Dir: s.Dir, Trusts: func() bool { return trusted }}
		mustAdd(t, s, "a")
		if err := errors.Join(os.Chown(s.Path(name), 1234, 1234), os.Chmod(s.Path(name), 0o664)); err != nil {
			t.Fatal(err)
		}
		mustAdd(t, s, "b")
		if info, err := os.Stat(s.Path(name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("trusted %v: the mode is %v, want %v; %v", trusted, info.Mode().Perm(), want, err)
		}
	}
}

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
