// Package torture tries to make onward lose data.
//
// It runs the program as users do, and disturbs it: it kills the program at a system call,
// makes a system call fail, fills the disk, cuts the power, damages files, and plants hostile text.
// docs/reliability.md describes what must hold afterwards.
package torture

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var form = flag.String("sweep", "none", "how much of a sweep to run: none, sample, once (every system call) or all (every error at every system call)")

var long = flag.Bool("long", false, "read longer inputs, and run the tests that take longest")

// onlyLong skips a test outside of the long form, which .ci/nightly runs.
func onlyLong(t *testing.T) {
	t.Helper()
	if !*long {
		t.Skip("only in the long form")
	}
}

// part divides a long sweep into several, each of which takes some of the commands.
var part = flag.String("part", "1/1", "which part of the sweeps to run: 2/4 is the second of four")

// inPart reports whether a row of the commands belongs to the part that -part selects.
func inPart(t *testing.T, row int) bool {
	t.Helper()
	var which, of int
	if _, err := fmt.Sscanf(*part, "%d/%d", &which, &of); err != nil || which < 1 || which > of {
		t.Fatalf("-part %q is not such as 2/4", *part)
	}
	return row%of == which-1
}

// needSweep skips the test unless a sweep was requested. A sweep runs strace thousands of times, which takes too long
// for the ordinary suite and fails on a busy machine.
func needSweep(t *testing.T) {
	t.Helper()
	if *form == "none" {
		t.Skip("skipped: a sweep is run with -sweep sample, once or all")
	}
}

// program is the onward under test. Its main goroutine stays on one thread,
// so that the system calls of a run can be counted.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "torture-")
	if err == nil {
		defer os.RemoveAll(dir)
		program = os.Getenv("ONWARD_TORTURED") // set to run a mutant instead
		if program == "" {
			program, err = build(dir, nil)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// build builds the program into a folder, with some of its source files replaced, and returns its path.
func build(dir string, replaced map[string]string) (string, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return "", err
	}
	pinned := filepath.Join(dir, "pinned.go")
	if err := os.WriteFile(pinned, []byte("package main\n\nimport \"runtime\"\n\nfunc init() { runtime.LockOSThread() }\n"), 0o600); err != nil {
		return "", err
	}
	files := map[string]string{filepath.Join(root, "pinned.go"): pinned}
	for path, by := range replaced {
		files[filepath.Join(root, path)] = by
	}
	overlay, err := writeOverlay(dir, files)
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "onward")
	if runtime.GOOS == "windows" {
		out += ".exe"
	}
	cmd := exec.Command("go", "build", "-ldflags=-w", "-overlay", overlay, "-o", out, ".")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as the releases are built
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build onward: %w\n%s", err, said)
	}
	if runtime.GOOS == "windows" {
		return out, nil
	}
	// Linux starts a copy faster than the file that the linker has written.
	data, err := os.ReadFile(out)
	if err == nil {
		err = errors.Join(os.WriteFile(out+".copy", data, 0o700), os.Rename(out+".copy", out))
	}
	return out, err
}

// writeOverlay writes the file that `go build -overlay` reads.
func writeOverlay(dir string, files map[string]string) (string, error) {
	var rows []string
	for path, by := range files {
		rows = append(rows, fmt.Sprintf("%q:%q", path, by))
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, []byte(`{"Replace":{`+strings.Join(rows, ",")+`}}`), 0o600)
}

// place is a store with a home and a working folder. Commands that run in it see no settings of this machine.
type place struct {
	dir  string   // holds the store
	work string   // where commands run
	with []string // additional environment variables
}

func (p place) store() string { return filepath.Join(p.dir, "store") }

// newPlace returns an empty place, in memory if the system has such a disk. That is faster, and makes no
// difference: faults are injected above the disk.
func newPlace(t testing.TB) place {
	t.Helper()
	base := ""
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		base = "/dev/shm"
	}
	dir, err := os.MkdirTemp(base, "torture-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := place{dir: dir, work: filepath.Join(dir, "work")}
	if err := os.MkdirAll(filepath.Join(p.work, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	return p
}

// result is what a run of the program printed, and its exit code.
type result struct {
	code   int // -1: killed
	out    string
	errors string
}

// command returns a command that runs the program. If wrap is given, it is the command line that starts the program.
func (p place) command(in string, wrap []string, args ...string) *exec.Cmd {
	words := append(append(wrap[:len(wrap):len(wrap)], program), args...)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = p.work
	cmd.Stdin = strings.NewReader(in)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"),
		"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
		"HOME=" + filepath.Join(p.dir, "home"),
		"XDG_CONFIG_HOME=" + filepath.Join(p.dir, "home", "config"),
		"ONWARD_STORE=" + p.store(),
		"ONWARD_NOW=2026-11-21T09:30:00Z",
		"LC_ALL=C.UTF-8",
	}, p.with...)
	return cmd
}

func (p place) run(t testing.TB, in string, wrap []string, args ...string) result {
	t.Helper()
	cmd := p.command(in, wrap, args...)
	var out, errw bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errw
	cmd.WaitDelay = time.Minute
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{code: cmd.ProcessState.ExitCode(), out: out.String(), errors: errw.String()}
}

// must runs a command and returns its output; it fails the test if the command fails.
func (p place) must(t testing.TB, in string, args ...string) string {
	t.Helper()
	r := p.run(t, in, nil, args...)
	if r.code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, r.code, r.errors)
	}
	return r.out
}

// complaint returns what is wrong with a command's error message, or "". It must be one line, perhaps with a hint after it.
func complaint(r result) string {
	lines := strings.Split(strings.TrimSuffix(r.errors, "\n"), "\n")
	switch {
	case r.code == 0:
		return ""
	case r.code <= 2 || r.code == 70:
		return "this exit code is not for a failing disk"
	case strings.Contains(r.out, `"level":"error"`): // slash reports errors to its caller in JSON
		return ""
	case len(lines) == 1 && strings.HasPrefix(lines[0], `{"schema":"onward/error/v1",`): // --json
		return ""
	case !strings.HasPrefix(lines[0], "onward: "):
		return "no line says what failed"
	case len(lines) > 2 || len(lines) == 2 && !strings.HasPrefix(lines[1], "hint: "):
		return "more than a line and a hint"
	}
	return ""
}

// has reports whether a program is on PATH.
func has(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}
