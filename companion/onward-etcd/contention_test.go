//go:build unix

package main

import (
	"flag"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

var itemTakes = flag.Duration("item-takes", 2*time.Second, "how long a worker works on an item; sixteen workers start 32 commands in this time, so it must not be the processors that limit them")

// Workers that share one list do not slow each other down much: with -long, sixteen complete at least three times as many of a thousand items
// as four. TestManyWritersOfOneDocument shows what the store does for that.
func TestSixteenWorkersOnOneList(t *testing.T) {
	if flag.Lookup("long").Value.String() != "true" {
		t.Skip("it takes a minute: -long")
	}
	const span = 25 * time.Second
	c := cluster.New(t, 3)
	m := newMachine(t, c.URL("team"))
	var lines strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&lines, "item", i+1)
	}
	add := m.command("todo", "add", "-", "-q")
	add.Stdin = strings.NewReader(lines.String())
	if code, _, errs := m.wait(add); code != 0 {
		t.Fatal(errs)
	}
	complete := func(workers int) int {
		var done atomic.Int64
		var group sync.WaitGroup
		before := answered(t, c)
		began := time.Now()
		for n := range workers {
			group.Go(func() {
				name := fmt.Sprintf("w%d.%d", workers, n)
				for time.Since(began) < span {
					code, id, errs := m.run("todo", "next", "--claim", "--as", name, "--format", "id")
					if code != 0 {
						t.Logf("next: %d %s", code, errs)
						continue
					}
					time.Sleep(*itemTakes)
					if code, _, errs := m.run("todo", "done", "id:"+strings.TrimSpace(id), "--as", name, "-q"); code != 0 {
						t.Logf("done: %d %s", code, errs)
						continue
					}
					if time.Since(began) < span {
						done.Add(1)
					}
				}
			})
		}
		group.Wait()
		n := int(done.Load())
		t.Logf("%d workers: %d items in %v, %.1f requests each", workers, n, span, float64(answered(t, c)-before)/float64(max(1, n)))
		return n
	}
	four, sixteen := complete(4), complete(16)
	if sixteen < 3*four {
		t.Errorf("sixteen workers complete %d items in %v, four %d", sixteen, span, four)
	}
}

// answered returns how many requests the servers have answered.
func answered(t *testing.T, c *cluster.Cluster) (all int) {
	t.Helper()
	for _, node := range c.Nodes {
		n, err := node.Requests()
		if err != nil {
			t.Fatal(err)
		}
		all += n
	}
	return all
}
