//go:build unix

package main

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/companion/onward-etcd/cluster"
)

// A command that changes something uses at most three times the processor time that it uses with a store of files. One that only
// reads does so little there that starting a second program weighs more. The test compares whole processes, which run in turn, by
// the quarter that other load slows down least. A few runs vary on a busy machine, so the short form allows one more.
func TestCostsAtMostThreeTimesFiles(t *testing.T) {
	times, more := 25, 1.0
	if flag.Lookup("long").Value.String() == "true" {
		times, more = 90, 0
	}
	c := cluster.New(t, 1)
	files, servers := newMachine(t, t.TempDir()), newMachine(t, c.URL("team"))
	cost := func(m *machine, args ...string) (processor, elapsed float64) {
		run := m.command(args...)
		began := time.Now()
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		elapsed = time.Since(began).Seconds() * 1000
		return (run.ProcessState.UserTime() + run.ProcessState.SystemTime()).Seconds() * 1000, elapsed
	}
	for _, is := range []struct {
		most float64
		args []string
	}{
		{3, []string{"todo", "add", "fix the parser", "-q"}},
		{3.5, []string{"todo", "show", "-q"}},
		{3, []string{"check-continue", "-q", "--max-attempts", "100", "--max-stagnation", "100"}},
	} {
		args := is.args
		var onFiles, onServers, elapsedFiles, elapsedServers []float64
		for range times {
			for _, m := range []*machine{files, servers} {
				m.must("event", "user-prompt") // otherwise a second question would wait for a second
			}
			processor, elapsed := cost(files, args...)
			onFiles, elapsedFiles = append(onFiles, processor), append(elapsedFiles, elapsed)
			processor, elapsed = cost(servers, args...)
			onServers, elapsedServers = append(onServers, processor), append(elapsedServers, elapsed)
		}
		on, over := fastest(onFiles), fastest(onServers)
		t.Logf("onward %s: %.1f ms on files, %.1f ms over servers, %.2f times; by the clock %.2f times", strings.Join(args[:2], " "), on, over, over/on, fastest(elapsedServers)/fastest(elapsedFiles))
		if most := is.most + more; over > most*on {
			t.Errorf("onward %s costs %.2f times what it costs on files, at most %v", strings.Join(args, " "), over/on, most)
		}
	}
}

// fastest returns the slowest of the fastest quarter.
func fastest(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/4]
}
