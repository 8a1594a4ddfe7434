package session

import (
	"errors"
	"testing"
	"time"

	"onward/internal/store"
)

// app returns the project of a folder.
func app(t *testing.T) Project {
	t.Helper()
	p := NewProject("/home/max/src/app", "app")
	if err := CheckName(Name{Session: p.Session}); err != nil {
		t.Error(err)
	}
	return p
}

func TestChosenSessionWins(t *testing.T) {
	s := testStore(t)
	p := Project{Dir: "somewhere", Session: "app-00000000000000000000000000000000", Old: "app-00000000"}
	for _, c := range []struct{ content, want string }{
		{"", p.Session},
		{`{"schema":"onward/project/v1","project":"somewhere","session":"mine"}`, "mine"}, // as version 1 wrote it
		{string(choiceKind.Write(&choice{project: "somewhere", session: "other"})), "other"},
		{`{"schema":"onward/project/v1","project":"somewhere","session":"../mine"}`, ""},
		{`{"schema":"onward/project/v1","project":"somewhere","session":""}`, ""},
		{`{"schema":"onward/project/v1","project":"somewhere","sessiom":"mine"}`, ""},
		{`{"schema":"x","project":"somewhere","session":"mine"}`, ""},
		{`{"session":`, ""},
	} {
		if c.content != "" {
			s.memory.Damage(p.Choice(), []byte(c.content))
		}
		got, err := s.Chosen(p)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: got %q, %v", c.content, got, err)
		}
	}
}

func TestChosenSession(t *testing.T) {
	s := testStore(t)
	p := app(t)
	expect := func(want string) {
		t.Helper()
		if got, err := s.Chosen(p); err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	expect(p.Session)
	for _, id := range []string{"release-2", "release-3", "", "x"} {
		if _, err := s.Choose(p, id, time.Now()); err != nil {
			t.Fatal(err)
		}
		if id == "" {
			id = p.Session
		}
		expect(id)
	}
	if _, err := s.Choose(p, "../x", time.Now()); err == nil {
		t.Error("a bad id was chosen")
	}
	expect("x")
	// A choice that cannot be read is an error, not the derived session.
	s.memory.Damage(p.Choice(), []byte("{"))
	if _, err := s.Chosen(p); err == nil {
		t.Error("half a choice was read")
	}
	if _, err := s.Choose(p, "y", time.Now()); err != nil {
		t.Fatal(err)
	}
	expect("y")
}

// TestProjectsOfVersion1 keep their lists and choices; those of another folder whose name collided are not theirs.
func TestProjectsOfVersion1(t *testing.T) {
	ours := app(t)
	theirs := ours
	theirs.Dir = "/somewhere/else/app"
	for _, c := range []struct {
		name    string
		project string // of the list with the old name
		want    string
	}{
		{"its list", ours.Dir, ours.Old},
		{"a list of an unknown project", "", ours.Old},
		{"another project's list", theirs.Dir, ours.Session},
	} {
		s := testStore(t)
		if _, err := s.Update(Name{Session: ours.Old}, "", noon, func(d *Document) (Change, error) {
			d.Project = c.project
			return Change{What: "began"}, nil
		}); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Chosen(ours); got != c.want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", c.name, got, err, c.want)
		}
	}
	for dir, want := range map[string]string{ours.Dir: "chosen", theirs.Dir: ours.Session} {
		s := testStore(t)
		old := Project{Dir: dir, Session: ours.Old}
		if _, err := s.Choose(old, "chosen", noon.Time()); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Chosen(ours); got != want || err != nil {
			t.Errorf("chosen for %s: got %s, %v, want %s", dir, got, err, want)
		}
	}
}

// TestCollidingProjects share no list, and no choice.
func TestCollidingProjects(t *testing.T) {
	s := testStore(t)
	ours := app(t)
	theirs := ours
	theirs.Dir = "/somewhere/else/app"
	list := Name{Session: ours.Session}
	update := func(s *kept) error {
		_, err := s.Update(list, "", noon, func(d *Document) (Change, error) {
			d.Project = ours.Dir
			return Change{What: "began"}, nil
		})
		return err
	}
	if err := update(s); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Chosen(theirs); err != nil {
		t.Fatal(err)
	}
	if doc, err := s.Load(list); !errors.Is(err, store.ErrForeign) || doc != nil {
		t.Errorf("read: %v, %v", doc, err)
	}
	if err := update(s); !errors.Is(err, store.ErrForeign) {
		t.Errorf("written: %v", err)
	}
	if _, err := s.Choose(ours, "chosen", noon.Time()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Chosen(theirs); !errors.Is(err, ErrChoice) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestDerivedFrom(t *testing.T) {
	p := NewProject("/home/max/src/my-api", "my-api")
	for name, want := range map[string]string{
		p.Session: "my-api", p.Old: "my-api", "release-2": "", "fix-0123abcd": "fix", "demo": "", "-0123abcd": "", "api-0123456789abcdeg": "",
	} {
		if got, derived := DerivedFrom(name); got != want || derived != (want != "") {
			t.Errorf("%s: got %q, %v", name, got, derived)
		}
	}
}
