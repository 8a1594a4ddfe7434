//go:build unix

package main

import (
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
	"onward/internal/calls/schedule"
	"onward/internal/session"
)

// A deletion that is killed after it has marked the list blocks the name no longer than its lease lasts. Then the next command
// completes it and starts a new list.
func TestKilledDeletion(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m := newMachine(t, c.URL("team"))
	m.must("todo", "add", "old")
	m.must("message", "push", "old")
	s, name := openStore(t, c, "team"), session.Name{Session: "demo"}
	run, err := (&schedule.Store{Backend: s}).Begin(name) // the deletion waits in its middle for this hold
	if err != nil {
		t.Fatal(err)
	}
	deletion := m.command("session", "delete", "--yes", "demo")
	if err := deletion.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the list is marked", func() bool {
		doc, _, err := (&session.Store{Backend: s}).LoadMoved(name)
		return err == nil && doc.Deleting
	})
	_ = deletion.Process.Kill()
	_ = deletion.Wait()
	run.End()
	eventually(t, "a command completes the deletion", func() bool {
		code, _, errs := m.run("todo", "add", "new")
		if code != 0 && code != 75 {
			t.Fatalf("exit %d: %s", code, errs)
		}
		return code == 0
	})
	if list := m.must("todo", "show", "--format", "plain"); list != "1\tpending\tnew\n" {
		t.Errorf("the list is %q", list)
	}
	m.fails(1, "", "message", "pop")
}

// A deletion that is tried again with its id deletes nothing that somebody has made since, on another machine.
func TestDeletionOnce(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	one, two := newMachine(t, c.URL("team"), patient), newMachine(t, c.URL("team"), patient)
	one.must("todo", "add", "old")
	deletion := []string{"session", "delete", "--yes", "demo", "--op", "D1"}
	first := one.must(deletion...)
	if again := two.must(deletion...); again != first || first != "deleted demo\n" {
		t.Errorf("it prints %q, and then %q", first, again)
	}
	two.must("todo", "add", "of somebody else")
	if again := one.must(deletion...); again != first {
		t.Errorf("it prints %q", again)
	}
	if list := two.must("todo", "show", "--format", "plain"); list != "1\tpending\tof somebody else\n" {
		t.Errorf("the list is %q", list)
	}
}

// A command waits while its list is being deleted, as it does for any other writer, and then works on a new list.
func TestDeletionIsWaitedFor(t *testing.T) {
	t.Parallel()
	c := cluster.New(t, 1)
	m := newMachine(t, c.URL("team"), patient)
	m.must("todo", "add", "old")
	m.must("message", "push", "old")
	s, name := openStore(t, c, "team"), session.Name{Session: "demo"}
	run, err := (&schedule.Store{Backend: s}).Begin(name) // the deletion waits in its middle for this hold
	if err != nil {
		t.Fatal(err)
	}
	deletion, _ := m.start("session", "delete", "--yes", "demo")
	eventually(t, "the list is marked", func() bool {
		doc, _, err := (&session.Store{Backend: s}).LoadMoved(name)
		return err == nil && doc.Deleting
	})
	add, out := m.start("todo", "add", "new")
	ended := make(chan error, 1)
	go func() { ended <- add.Wait() }()
	select {
	case err := <-ended:
		t.Errorf("the command does not wait: %v: %s", err, out)
	case <-time.After(500 * time.Millisecond): // longer than it needs to be refused on a machine that is not busy
	}
	run.End()
	if err := <-ended; err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if err := deletion.Wait(); err != nil {
		t.Error(err)
	}
	if list := m.must("todo", "show", "--format", "plain"); list != "1\tpending\tnew\n" {
		t.Errorf("the list is %q", list)
	}
}
