//go:build unix

package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// start starts a command in the background.
func (m *machine) start(args ...string) (c *exec.Cmd, out *bytes.Buffer) {
	m.t.Helper()
	c, out = m.command(args...), &bytes.Buffer{}
	c.Stdout, c.Stderr = out, out
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
		if m.t.Failed() {
			m.t.Logf("onward %s said:\n%s", strings.Join(args, " "), out)
		}
	})
	return c, out
}

// submit schedules a shell command as the call "a".
func (m *machine) submit(command string) {
	m.t.Helper()
	if code, out, errs := m.run("schedule", "submit", "shell", "--id", "a", "--args", `{"command":"`+command+`"}`); code != 0 && code != 20 {
		m.t.Fatal(code, out, errs)
	}
}

// read returns the content of a file, or "" if it does not exist.
func read(file string) string {
	data, _ := os.ReadFile(file)
	return string(data)
}

// requests returns the server's counters of requests, without those for watches and leases.
func requests(t *testing.T, n *cluster.Node) string {
	t.Helper()
	resp, err := http.Get("http://" + n.Client + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(regexp.MustCompile(`(?m)^grpc_server_started_total.*grpc_service="etcdserverpb\.KV".*$`).FindAllString(string(text), -1), "\n")
}

// watches returns how many watches a server has started.
func watches(t *testing.T, n *cluster.Node) (begun float64) {
	t.Helper()
	all, err := n.Metrics()
	if err != nil {
		t.Fatal(err)
	}
	for name, count := range all {
		if strings.HasPrefix(name, "grpc_server_started_total{") && strings.Contains(name, `grpc_service="etcdserverpb.Watch"`) {
			begun += count
		}
	}
	return begun
}

// A call that awaits approval on one machine is approved on another one, and runs immediately. Meanwhile no request is sent to
// the servers.
func TestApproveFromAnotherMachine(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	pod, laptop := newMachine(t, c.URL("team"), patient), newMachine(t, c.URL("team"), patient)
	ran := filepath.Join(pod.home, "ran")
	laptop.submit("echo ran >> " + ran)
	_, out := pod.start("schedule", "run", "--watch")
	eventually(t, "the runner watches", func() bool { return watches(t, c.Nodes[0]) > 0 }) // by then it holds the calls
	before := ""
	eventually(t, "the runner waits", func() bool {
		now := requests(t, c.Nodes[0])
		still := now == before
		before = now
		time.Sleep(300 * time.Millisecond) // longer than an interval of polling would be
		return still
	})
	eventually(t, "a second runner is refused", func() bool {
		code, _, _ := pod.run("schedule", "run", "--lock-timeout", "2s")
		if code != 75 && code != 68 { // 68: the server was too slow to say so
			t.Errorf("a second runner: exit %d", code)
		}
		return code != 68
	})
	laptop.must("schedule", "approve", "a")
	eventually(t, "the call runs", func() bool { return read(ran) == "ran\n" })
	eventually(t, "the laptop sees it", func() bool { return strings.Contains(laptop.must("schedule", "list"), "success") })
	if list := laptop.must("schedule", "list"); strings.Contains(list, "awaiting") {
		t.Error(list, out)
	}
}

// A runner that freezes for longer than its lease changes nothing afterwards: another one has marked its call as interrupted,
// and has not run it again.
func TestFrozenRunnerChangesNothing(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	first, second := newMachine(t, c.URL("team")), newMachine(t, c.URL("team"), "ONWARD_LOCK_TIMEOUT=1m")
	ran, end := filepath.Join(first.home, "ran"), filepath.Join(first.home, "end")
	first.submit("echo ran >> " + ran + "; until [ -e " + end + " ]; do sleep 0.1; done")
	first.must("schedule", "approve", "a")
	runner, out := first.start("schedule", "run")
	eventually(t, "the call runs", func() bool { return read(ran) != "" })
	_ = runner.Process.Signal(syscall.SIGSTOP)
	if code, out, errs := second.run("schedule", "run"); code != 21 {
		t.Errorf("the second runner: exit %d: %s%s", code, out, errs)
	}
	before := second.must("schedule", "list", "--json")
	if !strings.Contains(before, "interrupted") {
		t.Error(before)
	}
	if err := os.WriteFile(end, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_ = runner.Process.Signal(syscall.SIGCONT)
	_ = runner.Wait()
	if code := runner.ProcessState.ExitCode(); code != 79 || !strings.Contains(out.String(), "lost the right to run") || !strings.Contains(out.String(), "hint: `onward schedule list` shows what is recorded, and what ran is not repeated") {
		t.Errorf("the frozen runner: exit %d: %s", code, out)
	}
	if after := second.must("schedule", "list", "--json"); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	if got := read(ran); got != "ran\n" {
		t.Errorf("it ran: %q", got)
	}
}
