package execute

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"onward/internal/store"
)

// TestForeignNamesOfOutputsAreRefused checks names that a document copied from another store may contain, such as paths.
func TestForeignNamesOfOutputsAreRefused(t *testing.T) {
	dir := t.TempDir()
	o := Outputs{Dir: dir}
	trust := filepath.Join(dir, "trust.json")
	if err := os.WriteFile(trust, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"trust.json", "outputs/../trust.json", "outputs/s/../../trust.json", `outputs/s/..\..\trust.json`, "/etc/passwd", "outputs", ""} {
		if err := o.Write(name, file, []byte("theirs")); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("write %q: %v", file, err)
		}
		if data, err := o.Read(file); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("read %q: %q, %v", file, data, err)
		}
		o.Remove([]string{file})
	}
	if err := o.Write(name, "outputs/other/a.txt", nil); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("of another session: %v", err)
	}
	if data, err := os.ReadFile(trust); err != nil || string(data) != "mine" {
		t.Fatalf("it is now %q, %v", data, err)
	}
	own := OutputPath(name, "a")
	if err := o.Write(name, own, []byte("out")); err != nil {
		t.Fatal(err)
	}
	if data, err := o.Read(own); err != nil || string(data) != "out" {
		t.Errorf("got %q, %v", data, err)
	}
	o.Remove([]string{own})
	if data, err := o.Read(own); err != nil || data != nil {
		t.Errorf("got %q, %v", data, err)
	}
}
