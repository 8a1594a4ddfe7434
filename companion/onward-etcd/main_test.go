//go:build unix

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// programs is the folder of onward and onward-etcd.
var programs string

func TestMain(m *testing.M) {
	flag.Bool("long", false, "for the packages below, whose tests have a long form")
	flag.Parse()
	dir, err := os.MkdirTemp("", "onward-etcd-test-")
	if err == nil {
		programs = dir
		err = errors.Join(build(dir, "../.."), build(dir, "."))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func build(to, module string) error {
	c := exec.Command("go", "build", "-trimpath", "-o", to, ".")
	c.Dir = module
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", module, err, out)
	}
	return nil
}

// machine stands for a computer: commands on it have their own home folder.
type machine struct {
	t    *testing.T
	home string
	env  []string
}

// newMachine returns a machine whose store is at a URL.
func newMachine(t *testing.T, url string, env ...string) *machine {
	t.Helper()
	home := t.TempDir()
	return &machine{t, home, append([]string{
		"HOME=" + home, "PATH=" + programs + ":" + os.Getenv("PATH"), "ONWARD_STORE=" + url, "ONWARD_SESSION=demo", "LANG=C.UTF-8",
	}, env...)}
}

func (m *machine) command(args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(programs, "onward"), args...)
	c.Dir, c.Env = m.home, m.env
	return c
}

// run runs a command, and returns its exit code, its standard output and its standard error.
func (m *machine) run(args ...string) (code int, out, errs string) {
	m.t.Helper()
	return m.wait(m.command(args...))
}

func (m *machine) wait(c *exec.Cmd) (code int, out, errs string) {
	m.t.Helper()
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), o.String(), e.String()
}

// must runs a command that has to succeed, and returns its standard output.
func (m *machine) must(args ...string) string {
	m.t.Helper()
	code, out, errs := m.run(args...)
	if code != 0 {
		m.t.Fatalf("onward %s: exit %d: %s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

// fails checks that a command ends with the exit code want, and that its standard error contains says.
func (m *machine) fails(want int, says string, args ...string) {
	m.t.Helper()
	if code, out, errs := m.run(args...); code != want || !strings.Contains(errs, says) || out != "" {
		m.t.Errorf("onward %s: exit %d, want %d and %q: %s%s", strings.Join(args, " "), code, want, says, out, errs)
	}
}

// eventually waits until is returns true, and fails the test if that takes too long. It asks less and less often, since most
// questions start a program.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	pause := 20 * time.Millisecond
	for end := time.Now().Add(3 * time.Minute); !is(); time.Sleep(pause) {
		if pause = min(2*pause, 300*time.Millisecond); time.Now().After(end) {
			t.Fatal("it did not happen in time: ", what)
		}
	}
}

// with returns the machine with additional environment variables.
func (m *machine) with(env ...string) *machine {
	return &machine{m.t, m.home, append(slices.Clone(m.env), env...)}
}
