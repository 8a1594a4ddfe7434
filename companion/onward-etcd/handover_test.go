//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"onward/companion/onward-etcd/cluster"
)

// A pod is killed in the middle of a list; another one takes the session over, and its loop ends with the list done.
func TestHandOver(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash to run the examples with")
	}
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	recording, err := os.ReadFile(filepath.Join(root, "testdata", "streams", "codex", "exec-ok.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	c := cluster.New(t, 3)
	count := filepath.Join(t.TempDir(), "turns")
	pod := func(thread, before string) (*machine, *exec.Cmd) {
		m := newMachine(t, c.URL("team"))
		// The stand-in is another conversation on each pod, and goes on with the third turn on the second one.
		own := filepath.Join(m.home, "recording.jsonl")
		text := strings.ReplaceAll(string(recording), "01a1fbbe-48eb-7833-9fd4-876ca514d325", thread)
		agent := filepath.Join(m.home, "agent")
		script := "#!/bin/sh\n" + before + "\nCOUNT=" + count + " RECORDING=" + own + " exec " + filepath.Join(root, "examples", "stand-in-agent.sh") + " \"$1\"\n"
		if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(agent, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		m.env = append(m.env, "AGENT="+agent)
		loop := m.command()
		loop.Path, loop.Args = "/bin/bash", []string{"bash", filepath.Join(root, "examples", "agent-loop.sh"), "the task"}
		loop.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		return m, loop
	}

	// The third turn of the first pod is its last moment: the whole machine is gone, with all that ran there.
	first, loop := pod("first", `[ "$(cat `+count+` 2>/dev/null)" != 2 ] || kill -9 0`)
	if err := loop.Run(); err == nil {
		t.Fatal("the first pod lives")
	}
	second, _ := pod("second", "")
	if code, _, _ := second.run("check-continue", "--owner", "second"); code != 14 {
		t.Errorf("before the session is taken: exit %d", code)
	}
	take := second.command()
	take.Path, take.Args = "/bin/bash", []string{"bash", filepath.Join(root, "examples", "hand-over.sh")}
	if code, out, errs := second.wait(take); code != 0 || !strings.Contains(out, "agent-loop: done") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	first.must("todo", "assert", "--require-list")
}
