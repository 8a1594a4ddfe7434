//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// A command that waits for a server that does not answer ends at the first signal, and changes nothing.
func TestSignalsEndTheWaiting(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m := newMachine(t, c.URL("team"), "ONWARD_LOCK_TIMEOUT=1m")
	m.must("todo", "add", "one")
	c.Nodes[0].Freeze()
	for _, line := range []string{
		"todo add two", "todo show", "todo done 1", "todo undo", "check-continue", "check-continue --wait", "session list", "session delete --yes demo",
		"message push two", "schedule list", "todo assert", "report", "set max-attempts 3", "store copy " + c.URL("team") + " " + t.TempDir(),
	} {
		for _, by := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			code, took := 0, time.Duration(0)
			for starts := 700 * time.Millisecond; starts < time.Minute; starts *= 8 {
				code, took = m.interrupted(strings.Fields(line), starts, by)
				if code != -1 { // -1: the signal arrived before the program handled signals
					break
				}
			}
			if code != 130 || took > 20*time.Second {
				t.Errorf("%s ended %v after %v with %d", line, took, by, code)
			}
		}
	}
	c.Nodes[0].Thaw()
	if list := m.must("todo", "show"); strings.Contains(list, "two") || !strings.Contains(list, "one") {
		t.Error(list)
	}
}

// interrupted runs a command that waits, and sends it a signal after a while. It returns the exit code, and the time from the
// signal to the end.
func (m *machine) interrupted(args []string, after time.Duration, by os.Signal) (code int, took time.Duration) {
	m.t.Helper()
	command, out := m.start(args...)
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case <-ended:
		m.t.Errorf("onward %s did not wait: %s", strings.Join(args, " "), out)
		return command.ProcessState.ExitCode(), 0
	case <-time.After(after):
	}
	began := time.Now()
	if err := command.Process.Signal(by); err != nil {
		m.t.Fatal(err)
	}
	<-ended
	return command.ProcessState.ExitCode(), time.Since(began)
}
