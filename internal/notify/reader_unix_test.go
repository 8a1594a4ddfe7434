//go:build unix

package notify

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestPipeInPlaceOfFileEndsTheReading replaces a file by a pipe without a writer. Opening it would block, so the reading must end.
func TestPipeInPlaceOfFileEndsTheReading(t *testing.T) {
	f := follow(t, "one\n")
	f.want("one")
	if err := os.Remove(f.path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(f.path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(f.lines); err == nil || !strings.Contains(err.Error(), "is not a regular file any more") {
		t.Errorf("got %v", err)
	}
}
