package install

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRemoveLeftoversOfDeadWriter leaves two files: one may still be written, the other one is old.
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
	if err := replace(filepath.Join(dir, "settings.json"), []byte("{}"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(young); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(old); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}
