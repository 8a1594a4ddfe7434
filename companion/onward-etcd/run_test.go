//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// While a run works, no machine can start another one in its session. After a kill, the next run resumes it.
func TestRunIsTakenUp(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m, other := newMachine(t, c.URL("team")), newMachine(t, c.URL("team"))
	agent := filepath.Join(t.TempDir(), "agent")
	script := "if [ ! -e " + agent + ".began ]; then touch " + agent + ".began; onward todo add parser; sleep 60; fi; onward todo done 1\n"
	if err := os.WriteFile(agent, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "generic", "fix it", "--", "sh", agent}
	first := m.command(args...)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if _, list, _ := other.run("todo", "show"); strings.Contains(list, "parser") {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the agent wrote no list")
		}
	}
	other.fails(75, "keeps an agent going", args...)
	_ = first.Process.Kill()
	_ = first.Wait()
	// On this machine the run is known to have ended, so nobody waits for its lease.
	code, out, errs := other.run(args...)
	if code != 0 || !strings.Contains(errs, "picking up the run that was cut off in turn 1") || strings.Contains(errs, "waiting up to") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	other.must("todo", "assert", "--require-list")
}
