//go:build unix

package supervise

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestGate(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		command, output, problem string
		code                     int
	}{
		{"true", "", "", 0},
		{"echo out; echo err >&2; exit 3", "out\nerr\n", "", 3},
		{"pwd", dir + "\n", "", 0},
		{"cat", "", "", 0}, // standard input is empty
		{"kill -SEGV $$", "", "", 139},
		{"no-such-command-anywhere", "not found", "it could not be started (exit code 127): ", 127},
		{"./not-there && true", "not found", "it could not be started (exit code 127): ", 127},
		{"exit 126", "", "it could not be started (exit code 126)", 126},
		{"test -n \"$" + InGateVariable + "\"", "", "", 0},
	} {
		res, err := Gate{Command: c.command, Dir: dir, Timeout: time.Minute}.Run(nil)
		if err != nil || res.Code != c.code || !strings.Contains(res.Output, c.output) || !strings.HasPrefix(res.Problem, c.problem) || strings.HasSuffix(res.Problem, ": ") || (c.problem == "") != (res.Problem == "") {
			t.Errorf("%s: got %+v, %v", c.command, res, err)
		}
	}
	if res, err := (Gate{Command: "true", Dir: filepath.Join(dir, "gone"), Timeout: time.Minute}).Run(nil); err != nil || !strings.Contains(res.Problem, "gone") {
		t.Errorf("a folder that is gone: %+v, %v", res, err)
	}
}

// TestGateKeepsEndOfOutput checks that the end of long output is kept, and how much of it.
func TestGateKeepsEndOfOutput(t *testing.T) {
	res, err := Gate{Command: "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done", Dir: t.TempDir(), Timeout: time.Minute}.Run(nil)
	if err != nil || len(res.Output) > gateOutput || !strings.HasSuffix(res.Output, "line 19998\nline 19999\n") {
		t.Errorf("got %d bytes, %v", len(res.Output), err)
	}
}

// TestGateEndsWithItsGroup checks that a gate's children are killed with it, at its time limit and at an interrupt.
func TestGateEndsWithItsGroup(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		dir := t.TempDir()
		signals := make(chan os.Signal, 1)
		gate := Gate{Command: "sleep 600 & echo $! >pid.tmp && mv pid.tmp pid; wait", Dir: dir, Timeout: time.Hour}
		child := make(chan int, 1)
		go func() {
			for {
				if text, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
					pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
					child <- pid
					if interrupted {
						signals <- os.Interrupt
					}
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		if !interrupted {
			gate.Timeout = time.Second
		}
		res, err := gate.Run(signals)
		if interrupted != errors.Is(err, ErrInterrupted) || interrupted == strings.Contains(res.Problem, "ran longer than 1 s") {
			t.Errorf("interrupted %v: got %+v, %v", interrupted, res, err)
		}
		pid := <-child
		for deadline := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil && !zombie(pid); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d still runs", pid)
			}
		}
	}
}

// zombie reports whether a process has ended and was not waited for.
func zombie(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}
