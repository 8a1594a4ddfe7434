package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestRemoveLeftoversOfDeadWriter checks that an old temporary file is removed, but not a new one, which may still be written.
func TestRemoveLeftoversOfDeadWriter(t *testing.T) {
	dir := t.TempDir()
	young, old := filepath.Join(dir, ".onward-0123456789ab.tmp"), filepath.Join(dir, ".onward-ba9876543210.tmp")
	long := time.Now().Add(-2 * abandoned)
	for _, path := range []string{young, old} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	if err := writeOver(filepath.Join(dir, "settings.json"), "{}", 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(young); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(old); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}

func writeOver(path, text string, mode os.FileMode) error {
	return WriteForeign(path, []byte(text), mode, func(temp string) error { return Rename(temp, path) })
}

// TestModeOfForeignFile checks the mode of a new file, and that a replaced file keeps its mode.
func TestModeOfForeignFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := t.TempDir()
	for _, c := range []struct {
		before, mode, want os.FileMode
	}{
		{0, 0o600, 0o600},
		{0, 0o755, 0o755},
		{0o640, 0o755, 0o640},
	} {
		path := filepath.Join(dir, "file")
		_ = os.Remove(path)
		if c.before != 0 {
			if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, c.before)); err != nil {
				t.Fatal(err)
			}
		}
		if err := writeOver(path, "text", c.mode); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != c.want {
			t.Errorf("%v over %v: %v, %v; want %v", c.mode, c.before, info.Mode(), err, c.want)
		}
	}
}

// TestErrorsAreClassifiedOnce checks that SystemError does not change an error that it has already classified.
func TestErrorsAreClassifiedOnce(t *testing.T) {
	for _, err := range []error{nil, fs.ErrPermission, fs.ErrNotExist} {
		once := SystemError(err)
		if twice := SystemError(once); !errors.Is(twice, once) || fmt.Sprint(twice) != fmt.Sprint(once) {
			t.Errorf("got %v, want %v", twice, once)
		}
	}
}

// TestRefusedPlace checks that a refused write leaves the old file and no temporary one.
func TestRefusedPlace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	if err := WriteForeign(path, []byte("new"), 0, func(string) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	files, err := os.ReadDir(dir)
	if data, _ := os.ReadFile(path); err != nil || len(files) != 1 || string(data) != "old" {
		t.Errorf("got %q among %d files, %v", data, len(files), err)
	}
}

// TestLinkOut: a link below the working folder must not lead out of it unseen. A path that the user names elsewhere is their own.
func TestLinkOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	top := t.TempDir()
	if resolved, err := filepath.EvalSymlinks(top); err == nil {
		top = resolved
	}
	secret, here := filepath.Join(top, "secret"), filepath.Join(top, "here")
	err := errors.Join(os.WriteFile(secret, []byte("key"), 0o600), os.Mkdir(here, 0o700), os.WriteFile(filepath.Join(here, "list"), nil, 0o600))
	for name, target := range map[string]string{"out": secret, "in": "list", "broken": filepath.Join(top, "gone")} {
		err = errors.Join(err, os.Symlink(target, filepath.Join(here, name)))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	for path, want := range map[string]string{"list": "", "in": "", "out": secret, "broken": "", "gone": "", "../secret": "", secret: ""} {
		if got, err := LinkOut(path); got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", path, got, err, want)
		}
	}
}
