//go:build unix

package main

import (
	"bufio"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
	"onward/companion/onward-etcd/etcd"
	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/todo"
)

// openStore opens a store on servers.
func openStore(t *testing.T, c *cluster.Cluster, prefix string) *etcd.Store {
	t.Helper()
	set, err := etcd.ParseURL(c.URL(prefix))
	if err != nil {
		t.Fatal(err)
	}
	set.TLS = c.Nodes[0].TLS
	s, err := etcd.Open(c.URL(prefix), set, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// fleet saves n sessions, each of another project, with settings and a queued message.
func fleet(t *testing.T, c *cluster.Cluster, n int) {
	s := openStore(t, c, "team")
	lists, now := &session.Store{Backend: s, Machine: s}, todo.TimeOf(time.Now())
	begin := func(i int) error {
		name, project := session.Name{Session: fmt.Sprintf("s%05d", i)}, fmt.Sprintf("example.com/team/p%05d", i)
		_, err := lists.Update(name, "", now, func(d *session.Document) (session.Change, error) {
			end, _ := todo.ParsePosition("1")
			edit, err := todo.Add(nil, end, []todo.Draft{{Content: "fix the parser"}}, now)
			d.Project, d.Todos.Active, d.Todos.Items = project, true, edit.Items
			return session.Change{What: "added 1 item", By: "cli", List: true}, err
		})
		if err != nil {
			return err
		}
		_, err = lists.UpdateSettings(session.Project{Origin: project}, "", now, func(p *session.ProjectSettings) (session.Change, error) {
			p.Values = map[string]string{"max-attempts": "5"}
			return session.Change{What: "set"}, nil
		})
		if err != nil {
			return err
		}
		_, err = (&schedule.Store{Backend: s}).Update(name, "", now, func(d *schedule.Document) (schedule.Change, error) {
			return schedule.PushMessage(d, "and test it", "", now)
		})
		return err
	}
	var all sync.WaitGroup
	slots := make(chan struct{}, 32)
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if err := begin(i); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// Commands that list many sessions read many documents with each request: by the server's count at most 40 requests for
// 150 sessions. With -long there are 10,000 sessions.
func TestManySessionsByFewRequests(t *testing.T) {
	sessions, most := 150, 40
	if flag.Lookup("long").Value.String() == "true" {
		sessions, most = 10_000, 1000
	}
	c := cluster.New(t, 1)
	fleet(t, c, sessions)
	m := newMachine(t, c.URL("team"))
	count := func() int {
		n, err := c.Nodes[0].Requests()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	check := func(what string, before int) {
		n := count() - before
		if t.Logf("%s of %d sessions: %d requests", what, sessions, n); n > most {
			t.Errorf("%s of %d sessions makes %d requests, at most %d", what, sessions, n, most)
		}
	}
	for _, line := range []string{"session list --limit 0", "session list", "todo list", "todo list --limit 0", "doctor", "session prune --older-than 0s --dry-run", "session prune --older-than 1d"} {
		before := count()
		code, out, errs := m.run(strings.Fields(line + " --json")...)
		if code > 1 { // doctor ends with 1, since no hook is installed
			t.Fatalf("%s: exit %d: %s", line, code, errs)
		}
		if listed := strings.Count(out, `"s0`); strings.Contains(line, "limit 0") && listed < sessions {
			t.Errorf("%s lists %d sessions", line, listed)
		}
		check(line, before)
	}
	report := []string{"report", "--json"}
	for i := range 150 {
		report = append(report, fmt.Sprintf("s%05d", i))
	}
	before := count()
	m.must(report...)
	check("a report on 150", before)
	before = count()
	watch := m.command("watch", "--all", "--json")
	out, err := watch.StdoutPipe()
	if err == nil {
		err = watch.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range sessions {
		if !lines.Scan() {
			t.Fatal("the watch has ended")
		}
	}
	check("the first look of watch --all", before)
	_ = watch.Process.Kill()
	_ = watch.Wait()
}
