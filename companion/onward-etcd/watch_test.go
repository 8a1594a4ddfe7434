//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"onward/companion/onward-etcd/cluster"
)

// watcher starts a watch. The function printed returns its standard output so far.
func watcher(m *machine, args ...string) (c *exec.Cmd, printed func() string) {
	m.t.Helper()
	file := filepath.Join(m.t.TempDir(), "out")
	out, err := os.Create(file)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { out.Close() })
	c = m.command(append([]string{"watch"}, args...)...)
	c.Stdout, c.Stderr = out, out
	if err := c.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c, func() string { return read(file) }
}

// A server freezes for some seconds. The watch says since when the store has not answered, and shows the next change
// soon after the server works again. (Once it paused for nine times as long as it had waited.)
func TestWatchAfterAFreeze(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m := newMachine(t, c.URL("team"))
	m.must("todo", "add", "first")
	_, one := watcher(m, "--json")
	_, all := watcher(m, "--all", "--json")
	_, text := watcher(m)
	eventually(t, "the list is shown", func() bool {
		return strings.Contains(one(), "first") && strings.Contains(all(), "demo") && strings.Contains(text(), "first")
	})
	froze := time.Now()
	c.Nodes[0].Freeze()
	eventually(t, "the silence is told", func() bool {
		return strings.Contains(one(), `"type":"store.silent"`) && strings.Contains(all(), `"type":"store.silent"`) &&
			strings.Contains(text(), "onward: the store has not answered since ")
	})
	c.Nodes[0].Thaw()
	silent := time.Since(froze)
	m.must("todo", "done", "1")
	changed := time.Now()
	eventually(t, "the change is shown", func() bool {
		return strings.Contains(one(), `"status":"completed"`) && strings.Contains(all(), `"attention":"done"`) && strings.Contains(text(), "1/1")
	})
	if took := time.Since(changed); took > 3*silent {
		t.Errorf("the servers were silent for %v, and the change was shown %v after it was made", silent, took)
	}
	eventually(t, "the end of the silence is told", func() bool {
		return strings.Contains(one(), `"type":"store.answers"`) && strings.Contains(all(), `"type":"store.answers"`) &&
			strings.Contains(text(), "onward: the store answers again, after ")
	})
	for line := range strings.Lines(one()) {
		var event struct {
			Type, EventID, AgentID, AgentType, Session string
			Since                                      time.Time
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if strings.HasPrefix(event.Type, "store.") && (event.EventID == "" || event.AgentType != "onward" || event.Session != "demo" || event.Since.IsZero()) {
			t.Error(line)
		}
	}
}

// A watch on a terminal shows since when no server answers, and can be ended in the meantime.
func TestWatchOnATerminalWhileNothingAnswers(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--all"}} {
		c := cluster.New(t, 1)
		m := newMachine(t, c.URL("team"), "TERM=xterm")
		m.must("todo", "add", "first")
		watch := m.command(append([]string{"watch"}, args...)...)
		master, slave, err := pty.Open()
		if err != nil {
			t.Skip(err)
		}
		defer master.Close()
		_ = pty.Setsize(master, &pty.Winsize{Cols: 120, Rows: 8})
		watch.Stdin, watch.Stdout, watch.Stderr = slave, slave, slave
		watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		if err := watch.Start(); err != nil {
			t.Fatal(err)
		}
		slave.Close()
		var seen []byte
		until := func(text string) {
			t.Helper()
			chunk := make([]byte, 4096)
			for {
				if _, after, found := bytes.Cut(seen, []byte(text)); found {
					seen = after
					return
				}
				n, err := master.Read(chunk)
				seen = append(seen, chunk[:n]...)
				if err != nil {
					t.Fatalf("it ended before %q: %q", text, seen)
				}
			}
		}
		until("first")
		c.Nodes[0].Freeze()
		until("the store has not answered since ")
		c.Nodes[0].Thaw()
		m.must("todo", "add", "second")
		if args == nil {
			until("second")
		} else {
			until("0/2")
		}
		c.Nodes[0].Freeze()
		until("the store has not answered since ")
		began := time.Now()
		if _, err := master.WriteString("q"); err != nil {
			t.Fatal(err)
		}
		if err := watch.Wait(); err != nil || time.Since(began) > 5*time.Second {
			t.Errorf("watch %v ended with %v after %v", args, err, time.Since(began))
		}
		c.Nodes[0].Thaw()
	}
}
