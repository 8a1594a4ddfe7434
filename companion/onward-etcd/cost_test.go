//go:build unix

package main

import (
	"slices"
	"strings"
	"testing"

	"onward/companion/onward-etcd/cluster"
)

// A command costs at most five times what it costs on files: the processor time of the whole process,
// one of each in turn, so that a busy machine slows down both.
func TestCostsAtMostFiveTimesFiles(t *testing.T) {
	c := cluster.New(t, 1)
	files, servers := newMachine(t, t.TempDir()), newMachine(t, c.URL("team"))
	cost := func(m *machine, args ...string) float64 {
		run := m.command(args...)
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		return (run.ProcessState.UserTime() + run.ProcessState.SystemTime()).Seconds()
	}
	for _, args := range [][]string{{"todo", "add", "fix the parser", "-q"}, {"check-continue", "-q", "--max-attempts", "100", "--max-stagnation", "100", "--max-total", "100"}} {
		var ratios []float64
		for range 25 {
			ratios = append(ratios, cost(servers, args...)/cost(files, args...))
		}
		slices.Sort(ratios)
		median := ratios[len(ratios)/2]
		t.Logf("onward %s: %.1f times", strings.Join(args[:2], " "), median)
		if median > 5 {
			t.Errorf("onward %s costs %.1f times what it costs on files, at most 5", strings.Join(args, " "), median)
		}
	}
}
