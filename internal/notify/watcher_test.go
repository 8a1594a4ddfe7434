package notify

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
)

// Each test waits for what it caused, as long as it takes.

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func watch(t *testing.T, path string) *Watcher {
	t.Helper()
	w := Watch(path)
	t.Cleanup(w.Close)
	if w.Slow != nil {
		t.Skipf("the system does not tell of changes here: %v", w.Slow)
	}
	return w
}

func TestFileChangesAreReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.json")
	w := watch(t, path)
	write(t, path)
	<-w.Changes
	write(t, path)
	<-w.Changes
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	<-w.Changes
	write(t, path+".new")
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	<-w.Changes
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	<-w.Changes
}

func TestFileByRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	w := watch(t, "list.json")
	write(t, "list.json")
	<-w.Changes
}

func TestFoldersCreatedLater(t *testing.T) {
	top := t.TempDir()
	path := filepath.Join(top, "state", "onward", "sessions", "demo.json")
	w := watch(t, path)
	for range 3 {
		write(t, path) // all folders at once
		<-w.Changes
		if err := os.RemoveAll(filepath.Join(top, "state")); err != nil {
			t.Fatal(err)
		}
		<-w.Changes
	}
	if _, err := os.Stat(filepath.Join(top, "state")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("watching makes no folders: %v", err)
	}
}

func TestConcernsOnlyWatchedPaths(t *testing.T) {
	w := &Watcher{paths: []string{filepath.FromSlash("/a/b/c.json")}}
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
		w := start(nil, why, []string{"list.json"})
		if !errors.Is(w.Slow, why) {
			t.Errorf("Slow = %v, want the reason", w.Slow)
		}
		for range 3 {
			<-w.Changes
		}
		w.Close()
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
	w := watch(t, filepath.Join(top, "sessions", Every+".json"))
	for _, name := range []string{"a.json", "b.json", "a.json"} {
		write(t, filepath.Join(top, "sessions", name))
		<-w.Changes
	}
	if folders := w.system.WatchList(); len(folders) != 1 {
		t.Errorf("%d folders are watched", len(folders))
	}
}
