package system

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestFilesChanged writes files in a folder and in a checkout of git. Those that git ignores, and onward's own log, do not count.
func TestFilesChanged(t *testing.T) {
	began := time.Now().Add(-time.Hour)
	write := func(dir, name string, at time.Time) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	before, after := began.Add(-time.Minute), began.Add(time.Minute)
	for _, git := range []bool{false, true} {
		dir := t.TempDir()
		write(dir, "a/b.go", before)
		if git {
			if out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput(); err != nil {
				t.Skipf("git: %v: %s", err, out)
			}
			write(dir, ".gitignore", before)
			if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.tmp\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			write(dir, "a/b.go", before)
			if err := os.Chtimes(filepath.Join(dir, ".gitignore"), before, before); err != nil {
				t.Fatal(err)
			}
		}
		log := filepath.Join(dir, "night.log")
		write(dir, "night.log", after)
		if FilesChanged(dir, []string{log}, began) {
			t.Errorf("git %v: what is old has changed", git)
		}
		write(dir, "a/x.tmp", after)
		if got := FilesChanged(dir, []string{log}, began); got == git {
			t.Errorf("git %v: a file that git ignores: %v", git, got)
		}
		write(dir, "a/c.go", after)
		if !FilesChanged(dir, []string{log}, began) {
			t.Errorf("git %v: a new file is not seen", git)
		}
	}
}
