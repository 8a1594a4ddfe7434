package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/store"
	"onward/internal/todo"
)

// The documentation has the same rows as the table; the help prints the table itself.
func TestExitCodesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/exit-codes.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(string(doc)) {
		if strings.HasPrefix(line, "| ") && line[2] >= '0' && line[2] <= '9' {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	codes := exitCodes()
	if len(rows) != len(codes) {
		t.Fatalf("docs/exit-codes.md has %d rows, the table %d", len(rows), len(codes))
	}
	for i, c := range codes {
		if want := fmt.Sprintf("| %d | %s | %s |", c.Code, c.Name, c.Meaning); rows[i] != want {
			t.Errorf("docs/exit-codes.md has\n  %s\nthe table\n  %s", rows[i], want)
		}
	}
}

func TestCodeOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{todo.ErrSyntax, cli.ExitUsage},
		{todo.ErrNotFound, cli.ExitNotFound},
		{todo.ErrHeld, cli.ExitBusy},
		{todo.ErrLimit, cli.ExitData},
		{store.ErrInvalidName, cli.ExitUsage},
		{store.ErrCorrupt, cli.ExitData},
		{store.ErrForeign, cli.ExitData},
		{store.ErrNewer, cli.ExitNewer},
		{store.ErrLockUnsupported, cli.ExitLockUnsupported},
		{store.ErrBusy, cli.ExitBusy},
		{store.ErrPermission, cli.ExitPermission},
		{store.ErrIO, cli.ExitIO},
		{continuation.ErrSetting, cli.ExitConfig},
		{continuation.ErrNothingOpen, cli.ExitNo},
		{continuation.ErrStoppedElsewhere, cli.ExitPermission},
		{fmt.Errorf("%w: %w", store.ErrNotDurable, fs.ErrPermission), cli.ExitNotDurable},
		{fileError("write", "x", fmt.Errorf("%w: %w", store.ErrNotDurable, fs.ErrPermission)), cli.ExitNotDurable},
		{errors.New("something nobody sorted"), cli.ExitInternal},
	} {
		if got := codeOf(fmt.Errorf("read session %q: %w", "x", c.err)); got != c.want {
			t.Errorf("codeOf(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("a bug") }

// A panic must not end the process with 2, which agents read from a hook as "continue".
func TestPanicIsInternal(t *testing.T) {
	t.Setenv("ONWARD_STORE", t.TempDir())
	var out, errw bytes.Buffer
	code := Main([]string{"todo", "write"}, panicking{}, &out, &errw)
	if code != cli.ExitInternal || !strings.HasPrefix(errw.String(), "onward: internal error: a bug\n") {
		t.Errorf("code %d, stderr %q", code, errw.String())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A result that could not be printed is a failure, even if the command succeeded.
func TestFullOutputIsAnError(t *testing.T) {
	t.Setenv("ONWARD_STORE", t.TempDir())
	var errw bytes.Buffer
	if code := Main([]string{"todo", "show"}, nil, full{}, &errw); code != cli.ExitIO {
		t.Errorf("code %d, stderr %q", code, errw.String())
	}
}

// After a commit, a failure to print the result must not have a code that means that nothing changed.
func TestFullOutputAfterAChange(t *testing.T) {
	for _, args := range [][]string{{"todo", "add", "x"}, {"set", "yolo", "true"}, {"session", "use", "other"}, {"session", "delete", "--yes", "s"}} {
		t.Setenv("ONWARD_SESSION", "s")
		t.Setenv("ONWARD_STORE", t.TempDir())
		Main([]string{"todo", "add", "first"}, nil, io.Discard, io.Discard)
		var errw bytes.Buffer
		if code := Main(args, nil, full{}, &errw); code != cli.ExitNotDurable || !strings.Contains(errw.String(), "hint: the change was made") {
			t.Errorf("%v: code %d, stderr %q", args, code, errw.String())
		}
	}
}

// TestHintOfALostList names the session that is to be repaired.
func TestHintOfALostList(t *testing.T) {
	gone := &store.ReadError{What: "session", Name: "lost", Err: store.WrapProblem(store.ErrCorrupt, "%w", store.ErrGone)}
	if got, want := hintOf(failures(), gone), "`onward repair lost` shows what can be restored, and `onward repair lost --yes` restores it"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
