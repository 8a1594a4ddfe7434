//go:build unix

package main

import (
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestWatchOnATerminal(t *testing.T) {
	dir := t.TempDir()
	s, slave := openTerminal(t, 40, 8)
	watch := onward(dir, "watch", "--name", "Max", "--theme-color", "#ff8800")
	watch.Stdin, watch.Stdout, watch.Stderr = slave, slave, slave
	watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	s.until("\x1b[?1049h\x1b[?25l")
	s.until("no list")

	mustRun(t, onward(dir, "todo", "add", "fix the parser of the configuration files"))
	s.until("\x1b[1;38;2;255;136;0m📋 Plan (Max): 0/1\x1b[0m")
	s.until("1 ⭕ fix the parser of the configuratio…")

	mustRun(t, onward(dir, "todo", "start", "1"))
	s.until("\x1b[1m1 ⏳ fix the parser")

	// After a change of size, the list is drawn again.
	s.resize(20, 4)
	s.until("\x1b[2J")
	s.until("1 ⏳ fix the parser…")

	// Text of the list cannot move the cursor.
	mustRun(t, onward(dir, "todo", "add", "1", "\x1b[2Jevil"))
	s.until(`\u001b[2Jevil`)

	if _, err := s.master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	s.until("\x1b[?1049l\x1b[?25h")
	s.until("2 ⏳ fix the parser…") // the last frame stays
	var exit *exec.ExitError
	if err := watch.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("watch ended with %v, want exit code 130", err)
	}
}

func TestWatchQuitsOnQ(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, onward(dir, "todo", "add", "fix the parser"))
	s, slave := openTerminal(t, 40, 8)
	watch := onward(dir, "watch")
	watch.Stdin, watch.Stdout, watch.Stderr = slave, slave, slave
	watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	s.until("⭕ fix the parser")
	s.until("q quit")
	if _, err := s.master.WriteString("xq"); err != nil {
		t.Fatal(err)
	}
	s.until("\x1b[?1049l\x1b[?25h")
	s.until("⭕ fix the parser")
	if err := watch.Wait(); err != nil {
		t.Errorf("watch ended with %v", err)
	}
}

func TestWatchAllOnATerminal(t *testing.T) {
	dir := t.TempDir()
	in := func(session string, args ...string) {
		t.Helper()
		mustRun(t, onward(dir, append(args, "--session", session)...))
	}
	in("busy", "todo", "add", "fix the parser")
	in("paused", "todo", "add", "release it")
	in("paused", "pause", "the key is missing")
	in("asking", "todo", "add", "clean up")
	submit := onward(dir, "schedule", "submit", "-", "--session", "asking")
	submit.Stdin = strings.NewReader(`{"id":"c1","tool":"shell","args":{"command":"rm x"}}` + "\n" + `{"id":"c2","tool":"shell","args":{"command":"rm y"}}` + "\n")
	if err := submit.Run(); err == nil {
		t.Fatal("the calls need no approval")
	}
	s, slave := openTerminal(t, 80, 12)
	watch := onward(dir, "watch", "--all")
	watch.Env = append(watch.Env, "NO_COLOR=1")
	watch.Stdin, watch.Stdout, watch.Stderr = slave, slave, slave
	watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	mustStart(t, watch)
	slave.Close()

	// Sessions that need the user come first.
	s.until("3 sessions: 2 need you, 1 open")
	s.until("›needs you  asking")
	s.until(" needs you  paused")
	s.until(" open       busy")
	s.until("q quit")

	// The user is asked about one call after the other.
	s.typed("a", "c1  shell  rm x")
	s.until("n deny")
	s.typed("y", "c2  shell  rm y")
	s.until("c1 is approved and waits for")
	s.typed("\r", "q quit")
	s.typed("a", "c2  shell  rm y")
	s.typed("n", "3 sessions: 1 needs you, 2 open")

	// Go to the first session, which is another one by now, and resume it.
	s.typed("g", "›needs you  paused")
	s.typed("p", "3 sessions: 3 open")

	// A filter shows some of the sessions; the selected one is stopped, and resumed.
	s.typed("/nosuch", "no session matches")
	s.typed("\x1b", "›open")
	s.typed("/pars", "›open  busy")
	s.until("/pars")
	s.typed("\r", "q quit")
	s.typed("p", "›stopped  busy")
	s.typed("p", "›open  busy")
	s.typed("\r", "Plan (busy): 0/1")
	in("busy", "todo", "done", "1")
	s.until("Plan (busy): 1/1")
	s.typed("\x1b", "1 done")
	s.typed("\x1b", "done  busy")
	s.typed("q", "\x1b[?1049l\x1b[?25h")
	s.until("3 sessions: ")
	if err := watch.Wait(); err != nil {
		t.Errorf("watch ended with %v", err)
	}
	mustRun(t, onward(dir, "todo", "assert", "--session", "busy"))
}

func TestWatchRingsBell(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, onward(dir, "todo", "add", "fix the parser"))
	s, slave := openTerminal(t, 40, 8)
	watch := onward(dir, "watch", "--bell")
	watch.Stdin, watch.Stdout, watch.Stderr = slave, slave, slave
	watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	mustStart(t, watch)
	slave.Close()
	s.until("⭕ fix the parser")
	mustRun(t, onward(dir, "pause", "the key is missing"))
	// Which of them comes first depends on how busy the machine is.
	if text := "needs you: paused: the key is missing"; !strings.Contains(s.until("\a"), text) {
		s.until(text)
	}
	s.typed("q", "\x1b[?1049l")
	if err := watch.Wait(); err != nil {
		t.Errorf("watch ended with %v", err)
	}
}

func TestWatchOnADumbTerminal(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, onward(dir, "todo", "add", "fix the parser"))
	s, slave := openTerminal(t, 40, 8)
	watch := onward(dir, "watch", "--name", "Max")
	watch.Env = append(watch.Env, "TERM=dumb")
	watch.Stdin, watch.Stdout, watch.Stderr = slave, slave, slave
	watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	s.until("📋 Plan (Max): 0/1\r\n1 ⭕ fix the parser\r\n")
	mustRun(t, onward(dir, "todo", "done", "1"))
	s.until("\r\n📋 Plan (Max): 1/1\r\n1 ✅ fix the parser\r\n")
	if _, err := s.master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := watch.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("watch ended with %v, want exit code 130", err)
	}
}

func TestWatchRestoresTheTerminal(t *testing.T) {
	dir := t.TempDir()
	s, slave := openTerminal(t, 40, 8)
	watch := onward(dir, "watch", "--ascii")
	watch.Stdin, watch.Stdout, watch.Stderr = slave, slave, slave
	watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	s.until("no list")
	if err := watch.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.until("\x1b[?1049l\x1b[?25h")
	var exit *exec.ExitError
	if err := watch.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Errorf("watch ended with %v, want the signal", err)
	}
}
