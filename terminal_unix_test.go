//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// screen reads what a program writes to a terminal. It waits for an expected text without a time limit of its own.
type screen struct {
	t      *testing.T
	master *os.File
	seen   []byte
}

// openTerminal opens a terminal of a size, and returns it with the end that a program uses.
func openTerminal(t *testing.T, columns, rows uint16) (*screen, *os.File) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no terminal can be had: %v", err)
	}
	t.Cleanup(func() { master.Close(); slave.Close() })
	s := &screen{t: t, master: master}
	s.resize(columns, rows)
	return s, slave
}

func (s *screen) resize(columns, rows uint16) {
	s.t.Helper()
	if err := pty.Setsize(s.master, &pty.Winsize{Cols: columns, Rows: rows}); err != nil {
		s.t.Fatal(err)
	}
}

// until reads up to a text and returns what came before it.
func (s *screen) until(text string) string {
	s.t.Helper()
	chunk := make([]byte, 4096)
	for {
		if before, after, found := bytes.Cut(s.seen, []byte(text)); found {
			s.seen = bytes.Clone(after)
			return string(before)
		}
		n, err := s.master.Read(chunk)
		s.seen = append(s.seen, chunk[:n]...)
		if err != nil {
			s.t.Fatalf("the program ended before %q; it wrote %q", text, s.seen)
		}
	}
}

// onward makes a command with a store of its own.
func onward(dir string, args ...string) *exec.Cmd {
	c := exec.Command("onward", args...)
	c.Env = append(
		os.Environ(), "ONWARD_STORE="+filepath.Join(dir, "store"), "XDG_CONFIG_HOME="+dir, "ONWARD_SESSION=demo", "ONWARD_AGENT=",
		"ONWARD_NOW=2026-11-21T09:30:00Z", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR=", "FORCE_COLOR=",
	)
	return c
}

func mustRun(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", c.Args, err, out)
	}
}

func TestLongListGoesThroughThePager(t *testing.T) {
	dir := t.TempDir()
	add := onward(dir, "todo", "add", "-")
	add.Stdin = strings.NewReader(strings.Repeat("an item\n", 20))
	mustRun(t, add)
	submit := onward(dir, "schedule", "submit", "-", "--approval-mode", "yolo")
	submit.Stdin = strings.NewReader(strings.Repeat(`{"tool":"shell","args":{"command":"echo x"}}`+"\n", 20))
	mustRun(t, submit)
	for n := range 10 {
		mustRun(t, onward(dir, "todo", "add", "x", "--session", fmt.Sprint("list", n)))
		mustRun(t, onward(dir, "todo", "edit", "1", fmt.Sprint("item ", n)))
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"todo", "list"}, "paged *1"},
		{[]string{"session", "list"}, "paged *open"},
		{[]string{"todo", "history"}, "paged just now"},
		{[]string{"schedule", "list"}, "paged       \x1b[2mecho x"},
		{[]string{"todo", "show"}, "paged 20  ⭕  an item"},
		{[]string{"todo", "show", "--no-pager"}, "\n20  ⭕  an item"},
		{[]string{"todo", "show", "3"}, "position  3"},
		{[]string{"hook", "--help"}, "Reads one event of an agent as JSON from\r\n"}, // 40 columns
	} {
		s, slave := openTerminal(t, 40, 8)
		show := onward(dir, c.args...)
		show.Env = append(show.Env, "PAGER=sed 's/^/paged /'")
		show.Stdin, show.Stdout, show.Stderr = slave, slave, slave
		mustStart(t, show)
		slave.Close()
		s.until(c.want)
		if err := show.Wait(); err != nil {
			t.Errorf("%q: %v", c.args, err)
		}
	}
}

func TestListOfListsSaysHowToLoadOne(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, onward(dir, "todo", "add", "x"))
	s, slave := openTerminal(t, 120, 20)
	list := onward(dir, "todo", "list")
	list.Stdin, list.Stdout, list.Stderr = slave, slave, slave
	mustStart(t, list)
	slave.Close()
	s.until("hint: `onward todo load N` loads one of them into this session")
	if err := list.Wait(); err != nil {
		t.Error(err)
	}
}

func mustStart(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
}

// typed types keys, and reads the output up to a text.
func (s *screen) typed(keys, want string) string {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
	return s.until(want)
}

// TestAgentsTerminalApprovesNothing uses a terminal that an agent opened for a command. Keys in it do not count as the user's.
func TestAgentsTerminalApprovesNothing(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, onward(dir, "todo", "add", "clean up", "--session", "asking"))
	submit := onward(dir, "schedule", "submit", "shell", "--id", "c1", "--args", `{"command":"rm x"}`, "--session", "asking")
	if err := submit.Run(); err == nil {
		t.Fatal("the call needs no approval")
	}
	s, slave := openTerminal(t, 100, 12)
	watch := onward(dir, "watch", "--all")
	watch.Env = append(watch.Env, "NO_COLOR=1", "GEMINI_CLI=1")
	watch.Stdin, watch.Stdout, watch.Stderr = slave, slave, slave
	watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	mustStart(t, watch)
	slave.Close()
	s.until("needs you")
	s.until("q quit")
	s.typed("a", "only a person may approve a call")
	s.typed("q", "\x1b[?1049l")
	if err := watch.Wait(); err != nil {
		t.Errorf("watch ended with %v", err)
	}
}

func TestIngestLiveOnATerminal(t *testing.T) {
	dir := t.TempDir()
	s, slave := openTerminal(t, 40, 8)
	ingest := onward(dir, "ingest", "--live", "--save", "--settle")
	in, err := ingest.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var events bytes.Buffer
	ingest.Stdout, ingest.Stderr = &events, slave
	if err := ingest.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	line := func(text string) {
		if _, err := io.WriteString(in, text+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	line(`{"type":"thread.started","thread_id":"t1"}`)
	line(`{"type":"turn.started"}`)
	line(`{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"one","completed":false},{"text":"two","completed":false}]}}`)
	s.until("📋 Plan (codex):")
	s.until("⭕ two")
	line(`{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"one","completed":true},{"text":"two","completed":false}]}}`)
	// The rows that changed are drawn again in place: the count and the first item.
	if between := s.until("✅ one\x1b[0m"); !strings.Contains(between, "1/2") || !strings.Contains(between, "\x1b[3A") {
		t.Errorf("the second drawing begins with %q", between)
	}
	line(`{"type":"turn.completed","usage":{}}`)
	s.until("✅ two\x1b[0m")
	in.Close()
	s.until("onward: 5 lines read\r\n")
	if err := ingest.Wait(); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(events.Bytes(), []byte("\n")); n != 4 || bytes.Contains(events.Bytes(), []byte("\x1b")) {
		t.Errorf("on standard output are %d lines:\n%s", n, &events)
	}
	show := onward(dir, "todo", "show", "--format", "plain")
	if out, err := show.Output(); err != nil || string(out) != "1\tcompleted\tone\n2\tpending\ttwo\n" {
		t.Errorf("saved is %q, %v", out, err)
	}
}

// TestRunOnATerminal checks that running calls are shown below those that have ended, and that a terminated run
// still records the calls that it cancelled.
func TestRunOnATerminal(t *testing.T) {
	dir := t.TempDir()
	signal := filepath.Join(dir, "go")
	for _, command := range []string{"until [ -e " + signal + " ]; do sleep 0.01; done", "echo second; sleep 600"} {
		mustRun(t, onward(dir, "schedule", "submit", "shell", "--args", `{"command":"`+command+`"}`, "--approval-mode", "yolo"))
	}
	s, slave := openTerminal(t, 60, 10)
	run := onward(dir, "schedule", "run", "--jobs", "1")
	run.Stdout, run.Stderr = slave, slave
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	s.until("shell  until [ -e")
	if err := os.WriteFile(signal, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.until("✓\x1b[0m ")
	s.until("shell  echo second")
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.until("⊘\x1b[0m ")
	s.until("onward: interrupted; cancelled ")
	if err := run.Wait(); run.ProcessState.ExitCode() != 130 {
		t.Errorf("the run ended with %v", err)
	}
	out, err := onward(dir, "schedule", "status").Output()
	if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != "success 1 cancelled 1" {
		t.Errorf("recorded is %q, %v", got, err)
	}
}

// TestNightOnATerminal checks the line above the list during a run that works, waits, runs the gate, is interrupted, and
// is killed by a second Ctrl-C. The list stays when a turn fails.
func TestNightOnATerminal(t *testing.T) {
	dir := t.TempDir()
	script := `#!/bin/sh
cat >/dev/null
list() { echo "{\"type\":\"item.completed\",\"item\":{\"id\":\"item_0\",\"type\":\"todo_list\",\"items\":[{\"text\":\"repair it\",\"completed\":$1}]}}"; }
until_there() { until [ -e $1 ]; do sleep 0.01; done; }
echo '{"type":"thread.started","thread_id":"t1"}
{"type":"turn.started"}'
case $* in
*stubborn*) trap "" INT; list false; until_there never ;;
*resume*) list true; echo '{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":0}}' ;;
*) list false; until_there limit; echo '{"type":"turn.failed","error":{"message":"You have hit your usage limit. Try again in 1 seconds."}}'; exit 1 ;;
esac
`
	if err := os.WriteFile(filepath.Join(dir, "codex"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	touch := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start := func(args ...string) (*screen, *exec.Cmd) {
		s, slave := openTerminal(t, 60, 10)
		c := onward(dir, append([]string{"run", "codex", "repair it"}, args...)...)
		c.Dir = dir
		c.Env = append(c.Env, "NO_COLOR=1", "ONWARD_NOW=", "PATH="+dir+":"+os.Getenv("PATH"))
		c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		mustStart(t, c)
		slave.Close()
		return s, c
	}
	s, run := start("--no-first-gate", "--gate", "until [ -e gate ]; do sleep 0.01; done")
	s.until("s  at work")
	s.until("Plan (codex): 0/1")
	s.until("⭕ repair it")
	touch("limit")
	s.until("s  usage limit until ")
	if waits := s.until("onward: turn 2: continues\r\n"); strings.Contains(waits, "last turn failed") {
		t.Errorf("the list is gone: %q", waits)
	}
	s.until("✅ repair it")
	s.until("7 tokens  runs the gate")
	touch("gate")
	s.until("onward: the gate passes: until [ -e gate ]; do sleep 0.01;\r\ndone\r\n") // lines are wrapped between words
	s.until("onward: done after 2 turns: the only item is done, and the\r\ngate passes; it is unknown whether it passed before\r\n")
	if err := run.Wait(); err != nil {
		t.Error(err)
	}

	s, run = start("--session", "second", "--", "stubborn")
	s.until("⭕ repair it")
	s.typed("\x03", "is interrupted; Ctrl-C again kills it")
	s.typed("\x03", "onward: interrupted after 1 turn")
	if _ = run.Wait(); run.ProcessState.ExitCode() != 130 {
		t.Errorf("the run ended with %v", run.ProcessState)
	}

	// Closing the terminal cuts the run off, and the same command takes it up.
	s, run = start("--session", "third", "--", "stubborn")
	s.until("⭕ repair it")
	s.master.Close()
	if _ = run.Wait(); run.ProcessState.ExitCode() != 143 {
		t.Errorf("the run ended with %v", run.ProcessState)
	}
	if _, err := os.Stat(filepath.Join(dir, "store", "runs", "third.json")); err != nil {
		t.Error(err)
	}
}

// TestCountdownOnATerminal lets the user hurry a countdown, and cancel one.
func TestCountdownOnATerminal(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, onward(dir, "todo", "add", "one"))
	for _, c := range []struct {
		key  string
		code int
	}{{"\r", 0}, {"\x03", -1}} {
		s, slave := openTerminal(t, 80, 24)
		ask := onward(dir, "check-continue", "--countdown", "1h")
		ask.Stdin, ask.Stderr = slave, slave
		var prompt bytes.Buffer
		ask.Stdout = &prompt
		ask.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		if err := ask.Start(); err != nil {
			t.Fatal(err)
		}
		slave.Close()
		s.until("Resuming in 3600s... (1 task remaining) Ctrl-C cancels, Enter continues\r")
		// A line with text does not shorten the countdown.
		if _, err := s.master.WriteString("well\r"); err != nil {
			t.Fatal(err)
		}
		s.until("Resuming in 3599s...")
		if _, err := s.master.WriteString(c.key); err != nil {
			t.Fatal(err)
		}
		_ = ask.Wait()
		if code := ask.ProcessState.ExitCode(); code != c.code || strings.Contains(prompt.String(), "active task") != (c.code == 0) {
			t.Errorf("%q: exit %d, %q", c.key, code, prompt.String())
		}
	}
}

// TestIngestOnATerminal checks that the live view is the default if standard output is a terminal.
func TestIngestOnATerminal(t *testing.T) {
	dir := t.TempDir()
	s, slave := openTerminal(t, 40, 8)
	file := filepath.Join(dir, "run.jsonl")
	if err := os.WriteFile(file, []byte(`{"type":"thread.started","thread_id":"t1"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"one","completed":false}]}}
{"type":"turn.completed"}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	ingest := onward(dir, "ingest", "--save", file)
	ingest.Stdin, ingest.Stdout, ingest.Stderr = nil, slave, slave
	if err := ingest.Start(); err != nil {
		t.Fatal(err)
	}
	shown := s.until("onward: 4 lines read\r\n")
	if err := ingest.Wait(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(shown, "Plan (codex):") || strings.Contains(shown, `"type"`) {
		t.Errorf("shown is %q", shown)
	}
}

// TestInputFromATerminal checks that a command says when it waits for typed input.
func TestInputFromATerminal(t *testing.T) {
	for _, c := range []struct {
		args  []string
		typed string
	}{
		{[]string{"todo", "write"}, `[{"content":"one","status":"pending"}]`},
		{[]string{"ingest", "--emit", "none"}, `{"type":"thread.started","thread_id":"t1"}`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			s, slave := openTerminal(t, 80, 24)
			command := onward(t.TempDir(), c.args...)
			command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			s.until("onward: reading standard input from the terminal; Ctrl-D ends it\r\n")
			if _, err := io.WriteString(s.master, c.typed+"\n\x04"); err != nil {
				t.Fatal(err)
			}
			if err := command.Wait(); err != nil {
				t.Errorf("%v: %s", err, s.seen)
			}
		})
	}
}
