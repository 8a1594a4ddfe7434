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

// A command that waits for a server which does not answer ends at the first signal, and has changed nothing.
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
			command := m.command(strings.Fields(line)...)
			ended := make(chan int, 1)
			go func() {
				code, _, _ := m.wait(command)
				ended <- code
			}()
			select {
			case code := <-ended:
				t.Errorf("%s did not wait: exit %d", line, code)
				continue
			case <-time.After(700 * time.Millisecond):
			}
			began := time.Now()
			if err := command.Process.Signal(by); err != nil {
				t.Fatal(err)
			}
			if code := <-ended; code != 130 || time.Since(began) > time.Second {
				t.Errorf("%s ended %v after %v with %d", line, time.Since(began), by, code)
			}
		}
	}
	c.Nodes[0].Thaw()
	if list := m.must("todo", "show"); strings.Contains(list, "two") || !strings.Contains(list, "one") {
		t.Error(list)
	}
}
