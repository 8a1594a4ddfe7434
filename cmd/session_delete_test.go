package cmd

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onward/internal/cli"
)

// TestBusyListKeepsItsMessages deletes a session while another process writes its list. The deletion fails, and the
// messages stay.
func TestBusyListKeepsItsMessages(t *testing.T) {
	hookWorld(t)
	onward := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := Main(args, strings.NewReader(""), &out, io.Discard); code != want {
			t.Fatalf("%v: exit %d, want %d", args, code, want)
		}
		return out.String()
	}
	onward(cli.ExitOK, "message", "push", "wait for me")
	release := holdLock(t, filepath.Join(os.Getenv("ONWARD_STORE"), "sessions", "demo.lock"))
	onward(cli.ExitBusy, "session", "delete", "--yes", "demo", "--lock-timeout", "0")
	if got := onward(cli.ExitOK, "message", "list"); !strings.Contains(got, "wait for me") {
		t.Errorf("the messages are %q", got)
	}
	release()
	onward(cli.ExitOK, "session", "delete", "--yes", "demo")
	if got := onward(cli.ExitOK, "message", "list"); strings.Contains(got, "wait for me") {
		t.Errorf("the messages are %q", got)
	}
}
