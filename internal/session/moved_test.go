package session

import (
	"errors"
	"slices"
	"testing"

	"onward/internal/store"
)

// disk contains the existing folders of a test, with their places.
type disk map[string]ProjectIdentity

func (d disk) Identity(dir string) ProjectIdentity { return d[dir] }

func (d disk) Gone(dir string) bool { _, there := d[dir]; return !there }

// begin creates the list of a folder and, if sets is true, settings of its project.
func begin(t *testing.T, s *Store, dir string, sets bool) {
	t.Helper()
	of := *s
	p := NewProject(dir, FolderName(dir))
	id, err := of.ChosenSession(p)
	if err != nil {
		t.Fatal(err)
	}
	_, err = of.Update(Name{Session: id}, "", noon, func(d *Document) (Change, error) {
		d.Project = dir
		return Change{What: "began", By: "cli"}, nil
	})
	if err == nil && sets {
		_, err = of.UpdateSettings(p, "", noon, func(p *ProjectSettings) (Change, error) {
			p.Set("gate", "make test")
			return Change{What: "set gate"}, nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestMovedFrom(t *testing.T) {
	repository := ProjectIdentity{Git: "7-1", Origin: "example.com/app"}
	clone := ProjectIdentity{Git: "8-2", Origin: "example.com/app"}
	for _, c := range []struct {
		name        string
		before, now disk
		lists       []string
		want        string
	}{
		{"moved", disk{"/a/app": repository}, disk{"/b/tool": repository}, []string{"/a/app"}, "/a/app"},
		{"without an origin", disk{"/a/app": {Git: "7-1"}}, disk{"/b/tool": {Git: "7-1"}}, []string{"/a/app"}, "/a/app"},
		{"without a list", disk{"/a/app": repository}, disk{"/b/tool": repository}, nil, ""},
		{"cloned anew", disk{"/a/app": repository}, disk{"/b/tool": clone}, []string{"/a/app"}, "/a/app"},
		{"a copy", disk{"/a/app": repository}, disk{"/a/app": repository, "/b/tool": clone}, []string{"/a/app"}, ""},
		{"another with the same number", disk{"/a/app": {Git: "7-1"}}, disk{"/b/tool": {Git: "7-2"}}, []string{"/a/app"}, ""},
		{"nothing known", disk{"/a/app": {}}, disk{"/b/tool": {}}, []string{"/a/app"}, ""},
		{
			"two of one origin",
			disk{"/a/app": clone, "/c/app": repository},
			disk{"/b/tool": {Origin: clone.Origin}},
			[]string{"/a/app", "/c/app"},
			"",
		},
		{
			"one of them is there",
			disk{"/a/app": clone, "/c/app": repository},
			disk{"/c/app": repository, "/b/tool": {Origin: clone.Origin}},
			[]string{"/a/app", "/c/app"},
			"",
		},
		{
			"git's folder goes before the origin",
			disk{"/a/app": clone, "/c/app": repository},
			disk{"/c/app": repository, "/b/tool": clone},
			[]string{"/a/app", "/c/app"},
			"/a/app",
		},
		{
			"two with one git folder",
			disk{"/a/app": repository, "/c/app": repository},
			disk{"/b/tool": repository},
			[]string{"/a/app", "/c/app"},
			"",
		},
	} {
		s := testStore(t).Store
		s.Folders = c.before
		for _, dir := range c.lists {
			begin(t, s, dir, false)
		}
		s.Folders = c.now
		if got := s.MovedFrom(NewProject("/b/tool", "tool")); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// cut is a store that fails from one of its updates on, as if the process had been killed.
type cut struct {
	store.Backend
	left int
}

func (c *cut) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	if c.left--; c.left < 0 {
		return errors.New("cut off")
	}
	return c.Backend.Update(k, change)
}

func TestAdoptCutOff(t *testing.T) {
	for left := 0; ; left++ {
		s := testStore(t).Store
		before := disk{"/a/app": {Git: "7-1"}}
		s.Folders = before
		begin(t, s, "/a/app", true)
		other := Name{Session: "another-conversation"}
		if _, err := s.Update(other, "", noon, func(d *Document) (Change, error) {
			d.Project = "/a/app"
			return Change{What: "began"}, nil
		}); err != nil {
			t.Fatal(err)
		}
		here := NewProject("/b/tool", "tool")
		s.Folders = disk{"/b/tool": before["/a/app"]}
		killed := *s
		killed.Backend = &cut{s.Backend, left}
		whole := killed.AdoptProject(here, killed.MovedFrom(here), "", noon) == nil

		// The next command completes the move.
		id, err := s.ChosenSession(here)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := s.Load(Name{Session: id})
		if err == nil && doc == nil {
			if err = s.AdoptProject(here, s.MovedFrom(here), "", noon); err == nil {
				id, _ = s.ChosenSession(here)
				doc, err = s.Load(Name{Session: id})
			}
		}
		if err != nil || doc == nil || doc.Project != "/b/tool" {
			t.Fatalf("cut off after %d commits: the list is %v, %v", left, doc, err)
		}
		set, err := s.ProjectSettings(here)
		if err != nil || set.Current()["gate"] != "make test" {
			t.Errorf("cut off after %d commits: the settings are %v, %v", left, set.Current(), err)
		}
		if of, err := s.Load(other); err != nil || of.Project != "/b/tool" {
			t.Errorf("cut off after %d commits: another list is of %s, %v", left, of.Project, err)
		}
		if !whole {
			continue
		}
		// A new project in the old folder gets nothing of the moved one.
		old := NewProject("/a/app", "app")
		id, err = s.ChosenSession(old)
		if err != nil || id == old.Session {
			t.Errorf("the session of the old folder is %s, %v", id, err)
		}
		if set, err := s.ProjectSettings(old); err != nil || len(set.Current()) > 0 {
			t.Errorf("the settings of the old folder are %v, %v", set.Current(), err)
		}
		if git, _ := s.FoldersSeenAt(before["/a/app"]); !slices.Equal(git, []string{"/b/tool"}) {
			t.Errorf("the folders are %q", git)
		}
		return
	}
}
