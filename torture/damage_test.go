package torture

import (
	"os"
	"path/filepath"
	"testing"
)

// damage puts something in the place of a document.
func (p place) damage(t testing.TB, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.store(), "sessions", name+".json"), content, 0o600); err != nil {
		t.Fatal(err)
	}
}
