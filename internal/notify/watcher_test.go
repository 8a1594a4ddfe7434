package notify

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/fsnotify/fsnotify"
)

// The tests wait for the notifications that they cause without a time limit.

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func watch(t *testing.T, path string) *watcher {
	t.Helper()
	system, err := fsnotify.NewWatcher()
	w, slow := start(system, err, []string{path})
	t.Cleanup(w.close)
	if slow != nil {
		t.Skipf("the system does not tell of changes here: %v", slow)
	}
	return w
}

func TestFileChangesAreReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.json")
	w := watch(t, path)
	write(t, path)
	<-w.changes
	write(t, path)
	<-w.changes
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	<-w.changes
	write(t, path+".new")
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	<-w.changes
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	<-w.changes
}

func TestFileByRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	w := watch(t, "list.json")
	write(t, "list.json")
	<-w.changes
}

func TestFoldersCreatedLater(t *testing.T) {
	top := t.TempDir()
	path := filepath.Join(top, "state", "onward", "sessions", "demo.json")
	w := watch(t, path)
	for range 3 {
		write(t, path) // creates all folders of the path
		<-w.changes
		if err := os.RemoveAll(filepath.Join(top, "state")); err != nil {
			t.Fatal(err)
		}
		<-w.changes
	}
	if _, err := os.Stat(filepath.Join(top, "state")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("watching makes no folders: %v", err)
	}
}

func TestConcernsOnlyWatchedPaths(t *testing.T) {
	w := &watcher{paths: []string{filepath.FromSlash("/a/b/c.json")}}
	for name, want := range map[string]bool{
		"/a/b/c.json": true, "/a/b": true, "/a": true, "/": true,
		"/a/b/c.json.tmp": false, "/a/b/d.json": false, "/a/bc": false, "/d": false,
	} {
		if got := w.concerns(filepath.FromSlash(name)); got != want {
			t.Errorf("concerns(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestPollingWithoutNotifications(t *testing.T) {
	why := errors.New("too many open files")
	synctest.Test(t, func(t *testing.T) {
		w, slow := start(nil, why, []string{"list.json"})
		if !errors.Is(slow, why) {
			t.Errorf("slow: %v, want the reason", slow)
		}
		for range 3 {
			<-w.changes
		}
		w.close()
	})
}

func TestSymbolicLinkIsResolved(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "there"))
	if err := os.Symlink("there", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	w := Watch(filepath.Join(dir, "link"))
	defer w.Close()
	if w.Slow == nil {
		t.Error("what a link leads to is not told of, and nobody says so")
	}
}

func TestAllFilesOfFolderAreWatched(t *testing.T) {
	top := t.TempDir()
	w := watch(t, filepath.Join(top, "sessions", EveryFile+".json"))
	for _, name := range []string{"a.json", "b.json", "a.json"} {
		write(t, filepath.Join(top, "sessions", name))
		<-w.changes
	}
	if folders := w.system.WatchList(); len(folders) != 1 {
		t.Errorf("%d folders are watched", len(folders))
	}
}
