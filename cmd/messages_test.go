package cmd

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/companion"
	"onward/internal/durable"
	"onward/internal/replay"
	"onward/internal/session"
	"onward/internal/store"
	"onward/test/golden"
)

// situation is a command line that fails, with its preparation.
type situation struct {
	args   string // as in a shell
	stdin  string
	before func(t *testing.T, dir string)
}

// TestMessages writes the messages of every kind of failure to testdata/messages.txt. Each says
// what happened, to what, and what to do. Read the difference before you commit it.
func TestMessages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system's own words are others there")
	}
	want, err := filepath.Abs(filepath.Join("testdata", "messages.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// ingest limits the memory of its process, which is this one. With that limit, later tests would collect garbage all the time.
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{
		"ONWARD_STORE": filepath.Join(dir, "store"), "ONWARD_SESSION": "demo", "ONWARD_NOW": "2026-11-21T09:30:00Z", "COLUMNS": "80",
	} {
		t.Setenv(key, value)
	}
	batch := regexp.MustCompile(`batch \w{6}`)
	seen := map[int]bool{}
	var text strings.Builder
	show := func(line string, code int, said string) {
		seen[code] = true
		said = strings.ReplaceAll(strings.ReplaceAll(said, filepath.ToSlash(dir), "$DIR"), dir, "$DIR")
		// The name of a batch is random.
		said = batch.ReplaceAllString(said, "batch …")
		fmt.Fprintf(&text, "$ %s\n%s# exit %d\n\n", line, said, code)
	}
	for _, s := range situations() {
		if s.before != nil {
			s.before(t, dir)
		}
		args, err := wordsOf(s.args)
		if err != nil {
			t.Fatalf("%s: %v", s.args, err)
		}
		var out, errs bytes.Buffer
		code := Main(args, strings.NewReader(s.stdin), &out, &errs)
		if code == cli.ExitOK {
			t.Errorf("onward %s: it did not fail: %s", s.args, &out)
		}
		line := "onward " + s.args
		if s.stdin != "" {
			line = fmt.Sprintf("printf %q | %s", s.stdin, line)
		}
		show(line, code, out.String()+errs.String())
		wantCommand(t, line, code, out.String()+errs.String())
	}
	// These failures cannot be caused on every system.
	for _, err := range []error{
		fmt.Errorf("write session %q: %w", "demo", store.WrapProblem(store.ErrLockUnsupported, "the file system of the store does not support locks: function not implemented")),
		fmt.Errorf("write session %q: %w", "demo", durable.SystemError(&os.PathError{Op: "open", Path: dir, Err: os.ErrPermission})),
		fmt.Errorf("write session %q: %w", "demo", durable.SystemError(&os.PathError{Op: "write", Path: dir, Err: io.ErrShortWrite})),
		fmt.Errorf("write session %q: %w", "demo", store.WrapProblem(store.ErrNotDurable, "fsync %s: input/output error", dir)),
		fmt.Errorf("write session %q: %w", "demo", store.WrapProblem(store.ErrUnavailable, "etcd at db1, db2, db3: no majority within 10s")),
		fmt.Errorf("write session %q: %w", "demo", store.WrapProblem(store.ErrUnknown, "etcd at db1: the connection was cut")),
		fmt.Errorf("read session %q: %w", "demo", store.WrapProblem(store.ErrSettings, "etcd at db1: the server is etcd 3.5.4, and the versions 3.5.0 to 3.5.5 lose data: upgrade it")),
		fmt.Errorf("read session %q: %w", "demo", store.WrapProblem(store.ErrCertificate, "etcd at db1: remote error: tls: certificate required")),
		fmt.Errorf("ask %s: %w: exit status 3: out of memory", "/bin/onward-schema", companion.ErrFailed),
		fmt.Errorf("find %s: %w", "/bin/onward-schema", companion.ErrAbsent),
		fmt.Errorf("ask %s: %w: it is version %q, and onward is version %q", "/bin/onward-schema", companion.ErrVersion, "1.0.0", "1.1.0"),
		fmt.Errorf("read tools %s: %w: tool %q: parameters: type: value must be one of 'array', 'object'", "tools.json", tool.ErrDeclaration, "x"),
		fileError("import", "list.md", &os.PathError{Op: "open", Path: "list.md", Err: os.ErrPermission}),
		setupFailed(&replay.SetupError{On: "0123456789", Gate: &session.GateResult{Code: 1}}, "npm ci"),
		&cli.Bug{Value: "a bug"},
	} {
		var errs bytes.Buffer
		code := (&app{err: &errs}).fail(err)
		show("onward …", code, errs.String())
	}
	for _, c := range exitCodes() {
		if !seen[c.Code] && c.Code != cli.ExitOK && c.Code != cli.ExitInterrupted && c.Code != cli.ExitTerminated {
			t.Errorf("no situation ends with %d %s", c.Code, c.Name)
		}
	}
	golden.Compare(t, want, text.String())
}

// wantCommand checks that a refusal names a command, or a flag of its own, and that each line of onward that it proposes instead is one.
func wantCommand(t *testing.T, line string, code int, said string) {
	t.Helper()
	_, hint, _ := strings.Cut(said, "hint")
	byHand := regexp.MustCompile("correct it and try again|name a program that is on PATH|a store is a folder").MatchString(hint) || strings.Contains(line, "onward slash ")
	refused := slices.Contains([]int{cli.ExitUsage, cli.ExitData, cli.ExitNotFound, cli.ExitConfig}, code)
	if refused && !byHand && !regexp.MustCompile("`onward |`mkdir |--[a-z]|: onward |next   `onward ").MatchString(cmp.Or(hint, said)) {
		t.Errorf("%s: no command comes next: %s", line, said)
	}
	for _, proposed := range regexp.MustCompile("(?:did you mean|for example| or) `onward ([^`<]+)`").FindAllStringSubmatch(hint, -1) {
		args, err := wordsOf(proposed[1])
		if err != nil {
			t.Fatal(err)
		}
		a := newApp(args, strings.NewReader(""), io.Discard, io.Discard)
		a.line.CutLiteral()
		if err = a.line.Err; err == nil && strings.Join(a.line.Path, " ") != proposed[1] { // a name alone stands for the command
			err = a.program().Parse(a.line, a.line.Command.Make())
		}
		if err != nil {
			t.Errorf("%s: its hint is no command line: onward %s: %v", line, proposed[1], err)
		}
	}
}
