//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"onward/companion/onward-etcd/cluster"
	"onward/internal/session"
)

// silence is longer than the lease of a run, which is ten seconds.
const silence = 12 * time.Second

// patient lets a command wait for servers and a disk that are slow for some seconds, as on a busy machine.
const patient = "ONWARD_LOCK_TIMEOUT=1m"

// A script is an agent that says that it has begun, and ends its turn once it is told to.
type script struct{ began, end string }

func newScript(t *testing.T) script {
	dir := t.TempDir()
	return script{filepath.Join(dir, "began"), filepath.Join(dir, "end")}
}

// args appends the agent to the arguments of a run. It makes a list and completes it at the end of its turn.
func (s script) args(run ...string) []string {
	return append(run, "--", "sh", "-c", `cat >/dev/null; touch "$0"; until [ -e "$1" ]; do sleep 0.1; done; onward todo add step -q && onward todo done 1 -q`, s.began, s.end)
}

// begins waits until the agent has begun.
func (s script) begins(t *testing.T) {
	t.Helper()
	eventually(t, "the agent is at work", func() bool {
		_, err := os.Stat(s.began)
		return err == nil
	})
}

// ends lets the agent end its turn.
func (s script) ends(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(s.end, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// needsHosts skips a test where this user cannot have a machine of another name.
func needsHosts(t *testing.T) {
	t.Helper()
	if exec.Command("unshare", "-u", "true").Run() != nil {
		t.Skip("this user cannot have a machine of another name")
	}
}

// revokeAll ends every lease, as servers do that have not heard of its owner for long enough.
func revokeAll(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{c.Nodes[0].Client}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	all, err := client.Leases(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all.Leases {
		if _, err := client.Revoke(ctx, l.ID); err != nil && !errors.Is(err, rpctypes.ErrLeaseNotFound) {
			t.Fatal(err)
		}
	}
}

// A run goes on after its servers were silent for longer than its lease: it holds its session again, and then nobody else
// can have it. With -long, the servers are silent again and again, and end the lease or not.
func TestRunOutlastsSilence(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m, s := newMachine(t, c.URL("team"), patient), openStore(t, c, "team")
	holds := func() bool {
		is, err := s.Held(session.RunKey(session.Name{Session: "demo"}))
		return is && err == nil
	}
	agent := newScript(t)
	run, out := m.start(agent.args("run", "generic", "work")...)
	agent.begins(t)
	rounds := 1
	if flag.Lookup("long").Value.String() == "true" {
		rounds = 8
	}
	for round := range rounds {
		switch round % 4 {
		case 1:
			c.Nodes[0].Kill()
			time.Sleep(silence)
			c.Nodes[0].Start(t)
		default:
			c.Nodes[0].Freeze()
			time.Sleep(silence)
			stopped := round%2 == 0 // so it cannot renew the lease before that is ended
			if stopped {
				_ = run.Process.Signal(syscall.SIGSTOP)
			}
			c.Nodes[0].Thaw()
			if stopped {
				revokeAll(t, c)
				_ = run.Process.Signal(syscall.SIGCONT)
			}
		}
		eventually(t, "the run holds the session again", holds)
		newMachine(t, c.URL("team"), patient).fails(75, "keeps an agent going", agent.args("run", "generic", "work")...)
	}
	agent.ends(t)
	if err := run.Wait(); err != nil || !strings.Contains(out.String(), "done after 1 turn") || strings.Contains(out.String(), "lost the right to run") {
		t.Errorf("the run: %v", err)
	}
}

// A run that was silent for longer than its lease ends at once if another run took the session then, whether that one is
// still at work or has ended.
func TestRunLosesItsSession(t *testing.T) {
	t.Parallel()
	needsHosts(t)
	c := cluster.New(t, 1)
	type rivals struct {
		list, says    string
		one, two      script
		first, second *exec.Cmd
		out           *bytes.Buffer
	}
	finish := func(r *rivals) {
		r.two.ends(t)
		if err := r.second.Wait(); err != nil {
			t.Errorf("%s: the second run: %v", r.list, err)
		}
	}
	all := []*rivals{{list: "working", says: "keeps an agent going"}, {list: "ended", says: "another run has been at work"}}
	for _, r := range all {
		m := newMachine(t, c.URL("team"), patient, "ONWARD_SESSION="+r.list)
		r.one, r.two = newScript(t), newScript(t)
		r.first, r.out = m.start(r.one.args("run", "generic", "work")...)
		r.one.begins(t)
		_ = r.first.Process.Signal(syscall.SIGSTOP)
		r.second = m.on("elsewhere", 0, r.two.args("run", "generic", "work")...)
		if err := r.second.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range all {
		r.two.begins(t) // after the lease of the first
		if r.list == "ended" {
			finish(r)
		}
		_ = r.first.Process.Signal(syscall.SIGCONT)
		_ = r.first.Wait()
		said := r.out.String()
		if code := r.first.ProcessState.ExitCode(); code != 75 || !strings.Contains(said, r.says) || strings.Contains(said, "; waiting ") {
			t.Errorf("%s: the first run: exit %d", r.list, code)
		}
		if r.list != "ended" {
			finish(r)
		}
	}
}

// A machine dies in the middle of an item. Fifteen seconds later another worker has the item, or a machine that replaces the
// first one, under the same name, goes on with its run.
func TestItemOfDeadMachine(t *testing.T) {
	t.Parallel()
	needsHosts(t)
	c := cluster.New(t, 1)
	type death struct {
		list, next string
		m          *machine
		agent      script
		run, claim []string
		at         time.Time
	}
	all := []*death{{list: "other", next: "w2"}, {list: "same", next: "w1"}}
	for _, d := range all {
		d.m, d.agent = newMachine(t, c.URL("team"), patient, "ONWARD_SESSION="+d.list), newScript(t)
		d.m.must("todo", "add", "port the parser")
		id := strings.TrimSpace(d.m.must("todo", "next", "--claim", "--as", "w1", "--format", "id"))
		d.run = d.agent.args("run", "generic", "--item", d.list+":"+id, "--as", "w1")
		d.claim = []string{"todo", "next", "--claim", "--as", d.next, "--format", "id"}
		first, _ := d.m.start(d.run...)
		d.agent.begins(t)
		_ = first.Process.Kill()
		_ = first.Wait()
		d.at = time.Now()
		if code, _, errs := d.m.wait(d.m.on("elsewhere", 0, d.claim...)); code != 13 && code != 75 {
			t.Errorf("%s: before the lease is over: exit %d: %s", d.list, code, errs)
		}
	}
	for _, d := range all {
		eventually(t, "the item is claimed", func() bool {
			code, _, errs := d.m.wait(d.m.on("elsewhere", 0, d.claim...))
			if code != 0 && code != 13 && code != 75 {
				t.Fatal(code, errs)
			}
			return code == 0
		})
		if took := time.Since(d.at); took > 15*time.Second {
			t.Errorf("%s: that took %v", d.list, took)
		}
	}
	same := all[1]
	same.agent.ends(t)
	if code, _, errs := same.m.wait(same.m.on("elsewhere", 0, same.run...)); code != 0 || !strings.Contains(errs, "picking up the run that was cut off in turn 1") || !strings.Contains(errs, "the item is completed") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
