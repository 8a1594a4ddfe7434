package find

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"onward/internal/session"
)

func folderOf(t testing.TB, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func findIn(t *testing.T, dir string) session.Project {
	t.Helper()
	p, err := Project(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := session.CheckName(session.Name{Session: p.Session}); err != nil {
		t.Error(err)
	}
	return p
}

func TestProjects(t *testing.T) {
	top := t.TempDir()
	app := folderOf(t, top, "one", "app")
	folderOf(t, app, ".git")
	deep := folderOf(t, app, "cmd", "app")
	other := folderOf(t, top, "two", "app")
	folderOf(t, other, ".git")
	tree := folderOf(t, app, "trees", "fix")
	if err := os.WriteFile(filepath.Join(tree, ".git"), []byte("gitdir: ../../.git/worktrees/fix\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	p := findIn(t, app)
	if !strings.HasPrefix(p.Session, "app-") || len(p.Session) != len("app-")+8 {
		t.Errorf("session %q", p.Session)
	}
	if got := findIn(t, deep); got != p {
		t.Errorf("a subfolder is another project: %+v, %+v", got, p)
	}
	if got := findIn(t, other); got.Session == p.Session || !strings.HasPrefix(got.Session, "app-") {
		t.Errorf("two folders of one name: %+v, %+v", got, p)
	}
	if got := findIn(t, tree); got.Session == p.Session || filepath.Base(got.Dir) != "fix" {
		t.Errorf("a worktree shares the list: %+v, %+v", got, p)
	}
	if _, err := Project(filepath.Join(top, "nowhere")); err == nil {
		t.Error("a folder that is not there is a project")
	}
}

func TestSameFolderByTwoPaths(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	top := t.TempDir()
	app := folderOf(t, top, "app")
	folderOf(t, app, ".git")
	link := filepath.Join(top, "link")
	if err := os.Symlink(app, link); err != nil {
		t.Fatal(err)
	}
	if a, b := findIn(t, app), findIn(t, link); a != b {
		t.Errorf("%+v, %+v", a, b)
	}
	t.Chdir(link)
	if a, b := findIn(t, app), findIn(t, "."); a != b {
		t.Errorf("from inside: %+v, %+v", a, b)
	}
}

func TestStrangeFolderNames(t *testing.T) {
	top := t.TempDir()
	for _, base := range []string{"my app", ".config", "ünïcode", "con", "-x", "a+b", strings.Repeat("a", 200), "...x"} {
		dir := folderOf(t, top, base)
		folderOf(t, dir, ".git")
		findIn(t, dir) // it fails if the id cannot be a file name
	}
}
