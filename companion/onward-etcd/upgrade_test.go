//go:build unix

package main

import (
	"flag"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
	"onward/test/workers"
)

var upgradeFrom = flag.String("upgrade-from", "2dd5ab8a2d55542c9888253e6a4fc241c9a2a798", "the commit of the version that is at work beside this one")

// Machines are upgraded one after the other: with -long, workers of an earlier version and of this one draw from one list while the leader of
// the servers is killed again and again. Then both versions read what the other has written: lists, messages, claims, runs and settings.
func TestRollingUpgrade(t *testing.T) {
	if flag.Lookup("long").Value.String() != "true" {
		t.Skip("it builds an earlier version: -long")
	}
	source, earlier := t.TempDir(), t.TempDir()
	archive := exec.Command("sh", "-c", `git -C "$(git rev-parse --show-toplevel)" archive "$1" | tar -x -C "$2"`, "sh", *upgradeFrom, source)
	if out, err := archive.CombinedOutput(); err != nil || strings.Contains(string(out), "fatal") {
		t.Skipf("the earlier version is not in this clone: %s", out)
	}
	for _, module := range []string{source, filepath.Join(source, "companion", "onward-etcd")} {
		if err := build(earlier, module); err != nil {
			t.Fatal(err)
		}
	}
	c := cluster.New(t, 3)
	after := newMachine(t, c.URL("team"), "ONWARD_CLAIM_LEASE=3s", "ONWARD_LOCK_TIMEOUT=1m")
	before := newMachine(t, c.URL("team"), "ONWARD_CLAIM_LEASE=3s", "ONWARD_LOCK_TIMEOUT=1m", "PATH="+earlier+":/usr/bin:/bin")
	old := func(args ...string) *exec.Cmd {
		command := before.command(args...)
		command.Path = filepath.Join(earlier, "onward")
		return command
	}
	stop := killLeaders(t, c, 5*time.Second, time.Second)
	workers.Share(t, func(stdin string, args ...string) *exec.Cmd {
		command := after.command(args...)
		if rand.IntN(2) == 0 {
			command = old(args...)
		}
		command.Stdin = strings.NewReader(stdin)
		return command
	}, 3*time.Second, 4, 64)
	stop()
	for _, way := range []struct {
		name        string
		write, read func(args ...string) *exec.Cmd
	}{{"the earlier version reads this one's", after.command, old}, {"this version reads the earlier one's", old, after.command}} {
		must := func(c *exec.Cmd) string {
			t.Helper()
			code, out, errs := after.wait(c)
			if code != 0 {
				t.Fatalf("%s: %v: exit %d: %s%s", way.name, c.Args, code, out, errs)
			}
			return out
		}
		name := strings.ReplaceAll(strings.Fields(way.name)[1], "'", "")
		on := func(run func(args ...string) *exec.Cmd, args ...string) string {
			return must(run(append([]string{"-s", name}, args...)...))
		}
		on(way.write, "todo", "add", "from the other version")
		on(way.write, "set", "max-attempts", "7")
		on(way.write, "message", "push", "and test it")
		on(way.write, "todo", "next", "--claim", "--as", "w1", "--format", "id")
		if list := on(way.read, "todo", "show"); !strings.Contains(list, "from the other version") || !strings.Contains(list, "w1") {
			t.Errorf("%s: %s", way.name, list)
		}
		if said := on(way.read, "message", "pop"); !strings.Contains(said, "and test it") {
			t.Errorf("%s: %s", way.name, said)
		}
		on(way.read, "todo", "done", "1", "--as", "w1")
		on(way.write, "todo", "undo")
		on(way.read, "run", "generic", "try it", "--max-total", "2", "--", "sh", "-c", "onward todo done 1 --as w1 -s "+name)
		on(way.write, "todo", "assert")
		on(way.write, "todo", "history")
	}
	if code, out, errs := after.wait(old("session", "list", "--json")); code != 0 || strings.Contains(out, "cannot") {
		t.Errorf("the earlier version lists: exit %d: %s%s", code, out, errs)
	}
}
