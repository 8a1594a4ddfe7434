package session

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/internal/store"
)

// elsewhere is a folder whose short id is the same as that of the folder of app.
const elsewhere = "/src/639192/app"

// app returns the project of a folder.
func app(t *testing.T) Project {
	t.Helper()
	p := NewProject("/src/422789/app", "app")
	if err := CheckName(Name{Session: p.Session}); err != nil {
		t.Error(err)
	}
	return p
}

func TestChosenSessionWins(t *testing.T) {
	s := testStore(t)
	p := Project{Dir: "somewhere", Session: "app-00000000", Key: "app-00000000000000000000000000000000"}
	for _, c := range []struct{ content, want string }{
		{"", p.Session},
		{`{"schema":"onward/project/v1","project":"somewhere","session":"mine"}`, "mine"}, // the form of version 1
		{string(choiceKind.Write(&choice{project: "somewhere", session: "other"})), "other"},
		{`{"schema":"onward/project/v1","project":"somewhere","session":"../mine"}`, ""},
		{`{"schema":"onward/project/v1","project":"somewhere","session":""}`, ""},
		{`{"schema":"onward/project/v1","project":"somewhere","sessiom":"mine"}`, ""},
		{`{"schema":"x","project":"somewhere","session":"mine"}`, ""},
		{`{"session":`, ""},
	} {
		if c.content != "" {
			s.memory.Damage(p.ChoiceKey(), []byte(c.content))
		}
		got, err := s.ChosenSession(p)
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
		if got, err := s.ChosenSession(p); err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	expect(p.Session)
	for _, id := range []string{"release-2", "release-3", "", "x"} {
		if _, err := s.ChooseSession(p, id, time.Now()); err != nil {
			t.Fatal(err)
		}
		if id == "" {
			id = p.Session
		}
		expect(id)
	}
	if _, err := s.ChooseSession(p, "../x", time.Now()); err == nil {
		t.Error("a bad id was chosen")
	}
	expect("x")
	// If the choice cannot be read, that is an error, and the derived session is not used.
	s.memory.Damage(p.ChoiceKey(), []byte("{"))
	if _, err := s.ChosenSession(p); err == nil {
		t.Error("half a choice was read")
	}
	if _, err := s.ChooseSession(p, "y", time.Now()); err != nil {
		t.Fatal(err)
	}
	expect("y")
}

// TestDerivedSession checks that the derived name is the short one, unless the project already has a list, or a file of one, under
// the long name, or another project has the short name.
func TestDerivedSession(t *testing.T) {
	ours := app(t)
	if digits := strings.TrimPrefix(ours.Session, "app-"); len(digits) != 8 {
		t.Errorf("%s has not eight digits", ours.Session)
	}
	if theirs := NewProject(elsewhere, "app"); theirs.Session != ours.Session || theirs.Key == ours.Key {
		t.Fatalf("%v and %v do not collide as they should", ours, theirs)
	}
	calls := store.Spec{Name: "schedule", Folder: "schedules", Log: &store.Log{Folder: "schedules", Ending: ".journal", Journal: true}}
	for _, c := range []struct {
		name    string
		session string
		project string // the project of the list with that name
		want    string
	}{
		{"its list", ours.Session, ours.Dir, ours.Session},
		{"a list of an unknown project", ours.Session, "", ours.Session},
		{"another project's list", ours.Session, elsewhere, ours.Key},
		{"its list with the long name", ours.Key, ours.Dir, ours.Key},
		{"calls without a list", "", "", ours.Key},
	} {
		s := testStore(t)
		s.Beside = []*store.Spec{&calls}
		if c.session == "" {
			s.memory.Damage(store.Key{Kind: &calls, Name: ours.Key}, []byte("{}"))
		} else if _, err := s.Update(Name{Session: c.session}, "", noon, func(d *Document) (Change, error) {
			d.Project = c.project
			return Change{What: "began"}, nil
		}); err != nil {
			t.Fatal(err)
		}
		got, err := s.ChosenSession(ours)
		if got != c.want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", c.name, got, err, c.want)
		}
		if _, err := s.Load(Name{Session: got}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestChoiceOfVersion1 checks that a choice that version 1 wrote is used for its project, but not for another folder with the same short id.
func TestChoiceOfVersion1(t *testing.T) {
	ours := app(t)
	for dir, want := range map[string]string{ours.Dir: "chosen", elsewhere: ours.Session} {
		s := testStore(t)
		if _, err := s.ChooseSession(Project{Dir: dir, Key: ours.Session}, "chosen", noon.Time()); err != nil {
			t.Fatal(err)
		}
		if got, err := s.ChosenSession(ours); got != want || err != nil {
			t.Errorf("chosen for %s: got %s, %v, want %s", dir, got, err, want)
		}
	}
}

// TestCollidingProjects checks that two projects with the same short id share neither a list nor a choice, even if both start at the same time.
func TestCollidingProjects(t *testing.T) {
	s := testStore(t)
	ours := app(t)
	theirs := ours
	theirs.Dir = elsewhere
	list := Name{Session: ours.Session}
	update := func(s *kept) error {
		_, err := s.Update(list, "", noon, func(d *Document) (Change, error) {
			d.Project = ours.Dir
			return Change{What: "began"}, nil
		})
		return err
	}
	if _, err := s.ChosenSession(theirs); err != nil {
		t.Fatal(err)
	}
	other := *s.Store
	if _, err := other.ChosenSession(ours); err != nil {
		t.Fatal(err)
	}
	if err := update(&kept{Store: &other}); err != nil {
		t.Fatal(err)
	}
	if doc, err := s.Load(list); !errors.Is(err, store.ErrForeign) || doc != nil {
		t.Errorf("read: %v, %v", doc, err)
	}
	if err := update(s); !errors.Is(err, store.ErrForeign) {
		t.Errorf("written: %v", err)
	}
	if _, err := s.ChooseSession(ours, "chosen", noon.Time()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.ChosenSession(theirs); !errors.Is(err, ErrChoice) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestDerivedFrom(t *testing.T) {
	p := NewProject("/home/max/src/my-api", "my-api")
	for name, want := range map[string]string{
		p.Session: "my-api", p.Key: "my-api", "release-2": "", "fix-0123abcd": "fix", "demo": "", "-0123abcd": "", "api-0123456789abcdeg": "",
	} {
		if got, derived := DerivedFrom(name); got != want || derived != (want != "") {
			t.Errorf("%s: got %q, %v", name, got, derived)
		}
	}
}

func TestChosenGates(t *testing.T) {
	list, project := &ChosenGate{Gate: "make test"}, &ChosenGate{}
	settings := &ProjectSettings{ChosenGate: project}
	for _, c := range []struct {
		name  string
		of    *ProjectSettings
		lists []*Document
		want  []*ChosenGate
	}{
		{"nothing is saved", nil, []*Document{nil}, nil},
		{"nobody chose one", &ProjectSettings{}, []*Document{{}}, nil},
		{"the list has one", nil, []*Document{{ChosenGate: list}, nil}, []*ChosenGate{list}},
		{"the project has none by choice", settings, nil, []*ChosenGate{project}},
		{"both", settings, []*Document{{}, {ChosenGate: list}}, []*ChosenGate{list, project}},
	} {
		if got := ChosenGates(c.of, c.lists...); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
