//go:build unix

package main

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// The leader of the servers dies every four seconds, and each new one gives all leases their whole time again. Nevertheless, fifteen seconds
// after a machine has died another worker has its item, or a machine that replaces it goes on with its run; on the machine of a run
// that was killed, the same command goes on. A run that lives keeps its item all the time.
func TestHandOverWhileLeadersDie(t *testing.T) {
	if flag.Lookup("long").Value.String() != "true" {
		t.Skip("it takes minutes: -long")
	}
	needsHosts(t)
	c := cluster.New(t, 3)
	type work struct {
		m     *machine
		agent script
		run   []string
		first *exec.Cmd
	}
	begin := func(list string) *work {
		w := &work{m: newMachine(t, c.URL("team"), patient, "ONWARD_SESSION="+list), agent: newScript(t)}
		w.m.must("todo", "add", "port the parser", "--op", "add")
		id := strings.TrimSpace(w.m.must("todo", "next", "--claim", "--as", "w1", "--format", "id"))
		w.run = w.agent.args("run", "generic", "--item", list+":"+id, "--as", "w1")
		w.first, _ = w.m.start(w.run...)
		w.agent.begins(t)
		return w
	}
	claims := func(w *work, args ...string) bool {
		code, _, errs := w.m.wait(w.m.on("elsewhere", 0, append([]string{"todo", "next", "--claim", "--format", "id", "--as"}, args...)...))
		switch code {
		case 0, 13, 68, 75, 76:
			return code == 0
		}
		t.Fatal(code, errs)
		return false
	}
	goesOn := func(w *work, again *exec.Cmd, death time.Time, what string) {
		t.Helper()
		if err := again.Start(); err != nil {
			t.Fatal(err)
		}
		w.agent.begins(t)
		report(t, what, death)
		w.agent.ends(t)
		if err := again.Wait(); err != nil {
			t.Errorf("%s: the run that goes on: %v", what, err)
		}
	}
	alive := begin("alive")
	stop := killLeaders(t, c, 4*time.Second, 0)
	for range 3 {
		for _, list := range []string{"other", "waits", "replaced", "killed"} {
			w := begin(list + time.Now().Format("150405"))
			_ = w.first.Process.Kill()
			_ = w.first.Wait()
			if err := os.Remove(w.agent.began); err != nil {
				t.Fatal(err)
			}
			death := time.Now()
			switch list {
			case "other":
				eventually(t, "another worker has the item", func() bool { return claims(w, "w2") })
				report(t, "another worker that asks again and again", death)
			case "waits":
				eventually(t, "another worker has the item", func() bool { return claims(w, "w2", "--wait") })
				report(t, "another worker that waits", death)
			case "replaced":
				eventually(t, "the same worker has the item", func() bool { return claims(w, "w1") })
				goesOn(w, w.m.on("elsewhere", 0, w.run...), death, "a machine that replaces the dead one")
			case "killed":
				goesOn(w, w.m.command(w.run...), death, "the same command after kill -9")
			}
			if claims(alive, "w2") {
				t.Fatal("another worker has the item of a run that lives")
			}
		}
	}
	alive.agent.ends(t)
	if err := alive.first.Wait(); err != nil {
		t.Errorf("the run that lived all the time: %v", err)
	}
	stop()
}

// report logs how long a hand-over took, and fails the test if that was too long.
func report(t *testing.T, what string, death time.Time) {
	t.Helper()
	took := time.Since(death).Round(100 * time.Millisecond)
	t.Logf("%s: %v after the death", what, took)
	if took > 15*time.Second {
		t.Errorf("%s: that took more than 15 s", what)
	}
}
