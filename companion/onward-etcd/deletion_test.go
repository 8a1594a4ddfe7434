//go:build unix

package main

import (
	"testing"

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
