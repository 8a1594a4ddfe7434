package find

import (
	"os"
	"path/filepath"
	"testing"

	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// TestProjectsLeftBehind: only what is the first of its kind here makes the lists of a folder that is gone worth a note.
func TestProjectsLeftBehind(t *testing.T) {
	t.Setenv("ONWARD_STORE", t.TempDir())
	t.Setenv("ONWARD_SESSION", "")
	t.Setenv("ONWARD_AGENT", "")
	here := filepath.Join(t.TempDir(), "app")
	if err := os.Mkdir(here, 0o700); err != nil {
		t.Fatal(err)
	}
	list, err := (&Finder{}).List(here)
	if err == nil {
		_, err = list.Store.Update(session.Name{Session: "old"}, "", 1, func(doc *session.Document) (session.Change, error) {
			doc.Project = filepath.Join(t.TempDir(), "gone", "app")
			doc.Todos.Active, doc.Todos.Items = true, []todo.Item{{ID: "a", Content: "a", Status: todo.Pending}}
			return session.Change{What: "wrote it", List: true}, nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	commit := func(rev uint64, changed, again bool) session.Commit {
		return session.Commit{Doc: &session.Document{Rev: rev}, Changed: changed, Again: again}
	}
	ofSettings := func(rev uint64) store.Commit[session.ProjectSettings, session.Change] {
		return store.Commit[session.ProjectSettings, session.Change]{Doc: &session.ProjectSettings{Rev: rev}, Changed: true}
	}
	for _, c := range []struct {
		name string
		got  []GoneProject
		want int
	}{
		{"there is no list", list.PossiblyLeftProjects(nil), 1},
		{"there is one", list.PossiblyLeftProjects(&session.Document{}), 0},
		{"the first commit", list.ProjectsLeftByFirst(commit(1, true, false)), 1},
		{"a retry of it", list.ProjectsLeftByFirst(commit(1, true, true)), 0},
		{"the next one", list.ProjectsLeftByFirst(commit(2, true, false)), 0},
		{"nothing changed", list.ProjectsLeftByFirst(commit(1, false, false)), 0},
		{"the first setting", list.ProjectsLeftByFirstSetting(ofSettings(1)), 1},
		{"the next one", list.ProjectsLeftByFirstSetting(ofSettings(2)), 0},
	} {
		if len(c.got) != c.want {
			t.Errorf("%s: got %v, want %d", c.name, c.got, c.want)
		}
	}
}
