//go:build unix

package durable

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDestination follows the links that the user made to a file that is to be written, and none of another user.
func TestDestination(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": "file", "chain": in("link"), "dangling": "nowhere", "loop": "loop", "planted": "file", "first": "planted"} {
		if err := os.Symlink(to, in(name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"file": "file", "link": "file", "chain": "file", "dangling": "dangling", "new": "new", "loop": ""} {
		got, err := Destination(in(name))
		if want == "" && err == nil || want != "" && (err != nil || got != in(want)) {
			t.Errorf("%s leads to %q, %v", name, got, err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("only root can make links of another user")
	}
	if err := os.Lchown(in("planted"), 4242, -1); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"planted", "first"} {
		if got, err := Destination(in(name)); err == nil {
			t.Errorf("%s leads to %q", name, got)
		}
		if f, err := Append(in(name)); err == nil {
			_ = f.Close()
			t.Errorf("%s is appended to", name)
		}
	}
}
