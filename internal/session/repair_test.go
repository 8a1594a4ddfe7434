package session

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"onward/internal/store"
)

// TestRepairKeepsProject damages a list in several ways, and looks whose list it is after the repair.
func TestRepairKeepsProject(t *testing.T) {
	const dir = "/a/app"
	p := NewProject(dir, "app")
	for _, c := range []struct {
		name, damage, session string
		forget                string // documents that cannot be read: places
		agent, choice, here   bool   // what else there is: a sub-agent's list, the project's choice, a repair in its folder
		want                  string
	}{
		{name: "the file still says it", damage: "half", forget: "places", want: dir},
		{name: "a byte at its end is wrong", damage: "sum", forget: "places", want: dir},
		{name: "the file is empty, the place is known", damage: "{", want: dir},
		{name: "nothing is known", damage: "{", forget: "places"},
		{name: "another list of the session says it", damage: "{", forget: "places", agent: true, want: dir},
		{name: "it is repaired in its folder", damage: "{", forget: "places", here: true, want: dir},
		{name: "the project chose the session", damage: "{", session: "release", choice: true, want: dir},
		{name: "the session is the user's own", damage: "{", session: "release"},
		{name: "another session's file", damage: "other", forget: "places"},
	} {
		s := testStore(t)
		s.Folders = disk{dir: {Git: "7-1", Repository: "/a/main"}}
		n := Name{Session: cmp.Or(c.session, p.Session)}
		in := *s.Store
		in.project = p
		names := []Name{n}
		if c.agent {
			names = append(names, Name{Session: n.Session, Agent: "explorer"})
		}
		for _, name := range names {
			if _, err := in.Update(name, "", noon, func(d *Document) (Change, error) {
				d.SetProject(dir)
				return Change{What: "began", By: "cli", List: true}, nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if c.choice {
			if _, err := s.ChooseSession(p, n.Session, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		if c.forget == "places" {
			entries, _ := s.Backend.List(&placeKind, "", false)
			for _, e := range entries {
				s.memory.Damage(store.Key{Kind: &placeKind, Name: e.Name}, []byte("{"))
			}
		}
		if c.session != "" {
			entries, _ := s.Backend.List(&placeKind, "", false)
			if len(entries) == 0 {
				t.Fatal("no place")
			}
		}
		data := string(s.content(t, n))
		switch c.damage {
		case "half":
			data = data[:strings.Index(data, `"continuation"`)]
		case "sum":
			data = strings.Replace(data, `"active":false`, `"active":true`, 1)
		case "other":
			data = strings.Replace(data[:len(data)/2], `"session":"`, `"session":"x`, 1)
		default:
			data = c.damage
		}
		s.memory.Damage(Key(n), []byte(data))
		if c.here {
			s.project = p
		}
		d, err := s.Repair(n, store.Restore, noon)
		if err != nil || d.Problem == nil {
			t.Errorf("%s: %v, %v", c.name, d.Problem, err)
			continue
		}
		doc, err := s.Load(n)
		if err != nil || doc.Project != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, doc.Project, err, c.want)
		}
		if c.want != "" && (doc.Place != "7-1" || doc.Repository != "/a/main") {
			t.Errorf("%s: place %q, repository %q", c.name, doc.Place, doc.Repository)
		}
	}
}

// TestSetProject sets the project of a list that names none only where its name is that of the project.
func TestSetProject(t *testing.T) {
	p := NewProject("/a/app", "app")
	for _, c := range []struct {
		of   Document
		want string
	}{
		{Document{Session: "release"}, p.Dir},
		{Document{Session: "release", Rev: 1}, ""},
		{Document{Session: p.Session, Rev: 1}, p.Dir},
		{Document{Session: p.Key, Rev: 1}, p.Dir},
		{Document{Session: p.Session, Rev: 1, Project: "/b"}, "/b"},
	} {
		if c.of.SetProject(p.Dir); c.of.Project != c.want {
			t.Errorf("%s, rev %d: %q, want %q", c.of.Session, c.of.Rev, c.of.Project, c.want)
		}
	}
}
