//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"onward/companion/onward-etcd/cluster"
)

// agent is a script that completes the first open item in each turn. If STUCK is set, it hangs at the second.
const agent = `#!/bin/sh
n=$(onward todo show --format plain | grep -v completed | head -n 1 | cut -f 1)
if [ -n "$STUCK" ] && [ "$n" = 2 ]; then
	echo stuck >"$STUCK"
	exec sleep 60
fi
exec onward todo done "$n"
`

// TestHandOverExample runs examples/handover.sh: a pod is killed in the middle of a list, and another
// one takes the list over and completes it.
func TestHandOverExample(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to run the example with")
	}
	c := cluster.New(t, 1)
	program := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(program, []byte(agent), 0o700); err != nil {
		t.Fatal(err)
	}
	stuck := filepath.Join(t.TempDir(), "stuck")
	one := newMachine(t, c.URL("team"), "TURN="+program, "POD=one", "STUCK="+stuck)
	two := newMachine(t, c.URL("team"), "TURN="+program, "POD=two")
	script, err := filepath.Abs("../../examples/handover.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range []string{"research", "design", "implement"} {
		two.must("todo", "add", item)
	}
	pod := exec.Command(bash, script)
	pod.Dir, pod.Env, pod.SysProcAttr = one.home, one.env, &syscall.SysProcAttr{Setpgid: true}
	if err := pod.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() {
		_ = syscall.Kill(-pod.Process.Pid, syscall.SIGKILL)
		_ = pod.Wait()
	}
	t.Cleanup(kill)
	eventually(t, "the first pod is in the middle of the list", func() bool { return read(stuck) != "" })
	kill()
	if list := two.must("todo", "show"); !strings.Contains(list, "2 open, 1 completed") {
		t.Errorf("the first pod has left\n%s", list)
	}
	next := exec.Command(bash, script)
	next.Dir, next.Env = two.home, two.env
	code, out, errs := two.wait(next)
	if code != 0 || !strings.Contains(out, "took the list from pod session one") || !strings.Contains(out, "two has finished the list") {
		t.Errorf("the second pod: exit %d: %s%s", code, out, errs)
	}
	two.must("todo", "assert", "--require-list")
	one.fails(14, "belongs to pod session two", "check-continue", "--owner", "one")
}

// TestServerVersions checks that `store info` and `doctor` show the version of the servers.
func TestServerVersions(t *testing.T) {
	t.Parallel()
	m := newMachine(t, cluster.New(t, 1).URL("team"))
	m.must("todo", "add", "fix the parser")
	if info := m.must("store", "info"); !strings.Contains(info, "version   etcd ") || !strings.Contains(info, "sessions  1") {
		t.Errorf("store info prints\n%s", info)
	}
	if found := m.must("doctor"); !strings.Contains(found, ", version etcd ") {
		t.Errorf("doctor prints\n%s", found)
	}
}

// TestModelContextProtocol writes a list through onward-mcp, which starts the onward next to it for each call.
func TestModelContextProtocol(t *testing.T) {
	t.Parallel()
	if err := build(programs, "../onward-mcp"); err != nil {
		t.Skip(err)
	}
	c := cluster.New(t, 1)
	m := newMachine(t, c.URL("team"))
	server := exec.Command(filepath.Join(programs, "onward-mcp"))
	server.Dir, server.Env = m.home, m.env
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = server.Wait()
	})
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"todo_write","arguments":{"todos":[{"content":"fix the parser","status":"in_progress"}]}}}`,
	} {
		if _, err := in.Write([]byte(message + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	answers := bufio.NewReader(out)
	for {
		line, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal("no answer: ", err)
		}
		if strings.Contains(line, `"id":2`) {
			if strings.Contains(line, `"isError":true`) || !strings.Contains(line, "fix the parser") {
				t.Error(line)
			}
			break
		}
	}
	if list := m.must("todo", "show"); !strings.Contains(list, "fix the parser") {
		t.Errorf("the list in etcd:\n%s", list)
	}
}
