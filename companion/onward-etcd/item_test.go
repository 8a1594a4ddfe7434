//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// on returns a command that runs as if on another host, whose clock is ahead.
func (m *machine) on(name string, ahead time.Duration, args ...string) *exec.Cmd {
	c := m.command(append([]string{"--now", time.Now().Add(ahead).UTC().Format(time.RFC3339)}, args...)...)
	inner := append([]string{"-u", "sh", "-c", `hostname "$0" && exec "$@"`, name}, c.Args...)
	other := exec.Command("unshare", inner...)
	other.Dir, other.Env = c.Dir, c.Env
	return other
}

// TestRunOnAnItem runs `onward run --item` on two items of a queue. While the first run works, no other worker may get its
// item, whatever the clock of another machine shows. The second run is killed, and another worker gets its item.
func TestRunOnAnItem(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	w1 := newMachine(t, c.URL("team"), "ONWARD_SESSION=release", "ONWARD_WORKER=w1")
	w2 := newMachine(t, c.URL("team"), "ONWARD_SESSION=release", "ONWARD_WORKER=w2")
	w1.must("todo", "add", "port the parser")
	w1.must("todo", "add", "port the lexer", "--after", "1")
	agent := filepath.Join(t.TempDir(), "agent")
	script := "touch " + agent + ".began; until [ -e " + agent + ".end ]; do sleep 0.05; done; onward todo add step; onward todo done 1\n"
	if err := os.WriteFile(agent, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	begin := func() (*exec.Cmd, func() string) {
		id := strings.TrimSpace(w1.must("todo", "next", "--claim", "--format", "id"))
		run, out := w1.start("run", "generic", "--item", "release:"+id, "--", "sh", agent)
		eventually(t, "the agent is at work", func() bool {
			_, err := os.Stat(agent + ".began")
			return err == nil
		})
		return run, out.String
	}

	run, out := begin()
	w2.fails(13, "nothing is ready now", "todo", "next", "--claim")
	w2.fails(75, "is claimed by w1", "todo", "done", "1")
	if exec.Command("unshare", "-u", "true").Run() != nil {
		t.Log("this user cannot have a machine of another name")
	} else if code, said, errs := w2.wait(w2.on("elsewhere", 2*time.Hour, "todo", "next", "--claim")); code != 13 {
		t.Errorf("another machine, whose clock is two hours ahead: exit %d: %s%s", code, said, errs)
	}
	if err := os.WriteFile(agent+".end", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(); err != nil || !strings.Contains(out(), "; the item is completed") {
		t.Errorf("the run: %v: %s", err, out())
	}

	for _, end := range []string{".began", ".end"} {
		if err := os.Remove(agent + end); err != nil {
			t.Fatal(err)
		}
	}
	run, _ = begin()
	_ = run.Process.Kill()
	_ = run.Wait()
	eventually(t, "the item of the run that was killed is ready", func() bool {
		code, said, _ := w2.run("todo", "next", "--claim")
		return code == 0 && strings.HasPrefix(said, "2\t")
	})
	w2.must("todo", "done", "2")
	if history := w2.must("todo", "history"); !strings.Contains(history, "w2 claimed 1 item, after the process of w1 had ended") {
		t.Error(history)
	}
	if list := w2.must("todo", "show", "--format", "plain"); list != "1\tcompleted\tport the parser\n2\tcompleted\tport the lexer\n" {
		t.Error(list)
	}
}
