//go:build unix

package main

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"onward/companion/onward-etcd/cluster"
)

// A command uses at most 3.5 times the processor time that it uses with a store of files. The test compares medians over
// whole processes, which run in turn, so that other load slows down both. The median of a few runs varies on a busy machine,
// so the short form allows 4 times.
func TestCostsAtMostThreeAndAHalfTimesFiles(t *testing.T) {
	times, most := 25, 4.0
	if flag.Lookup("long").Value.String() == "true" {
		times, most = 90, 3.5
	}
	c := cluster.New(t, 1)
	files, servers := newMachine(t, t.TempDir()), newMachine(t, c.URL("team"))
	cost := func(m *machine, args ...string) float64 {
		run := m.command(args...)
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		return (run.ProcessState.UserTime() + run.ProcessState.SystemTime()).Seconds() * 1000
	}
	for _, args := range [][]string{{"todo", "add", "fix the parser", "-q"}, {"check-continue", "-q", "--max-attempts", "100", "--max-stagnation", "100"}} {
		var onFiles, onServers []float64
		for range times {
			for _, m := range []*machine{files, servers} {
				m.must("event", "user-prompt") // otherwise a second question would wait for a second
			}
			onFiles, onServers = append(onFiles, cost(files, args...)), append(onServers, cost(servers, args...))
		}
		on, over := median(onFiles), median(onServers)
		t.Logf("onward %s: %.1f ms on files, %.1f ms over servers, %.2f times", strings.Join(args[:2], " "), on, over, over/on)
		if over > most*on {
			t.Errorf("onward %s costs %.2f times what it costs on files, at most %v", strings.Join(args, " "), over/on, most)
		}
	}
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
