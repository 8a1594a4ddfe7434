package torture

import (
	"strings"
	"sync/atomic"
	"testing"
)

// TestKilledAtEverySystemCall kills each changing command at each of its system calls.
// strace kills before the call is made, so a kill after one call is a kill before the next.
// Afterwards the list must be the old one or the new one, and the next command must work without waiting.
func TestKilledAtEverySystemCall(t *testing.T) {
	needSweep(t)
	needStrace(t)
	var points, old, new, between, missed atomic.Int64
	t.Run("commands", func(t *testing.T) {
		eachMutation(t, func(row int, _ mutation) bool { return inPart(t, row) }, func(t *testing.T, row int, m mutation, from, p place, may states) {
			all := m.points(t, p)
			step := every(20)
			for i := row % step; i < len(all); i += step {
				at := all[i]
				p.restore(t, from)
				r, killed := m.inject(t, p, at, "signal=SIGKILL")
				if !killed || r.code != -1 {
					missed.Add(1) // in this run, Go's runtime made other calls
					continue
				}
				points.Add(1)
				got := p.state(t, m.look)
				switch {
				case got == may.old:
					old.Add(1)
				case got == may.new:
					new.Add(1)
				case may.whole(got):
					between.Add(1)
				default:
					t.Errorf("killed at call %d, %s\nthe state is\n%s\nit was\n%s\nand was to be\n%s", i, at.text, got, may.old, may.new)
				}
				problem := ""
				if strings.Contains(got, beingDeleted) { // a list that is being deleted blocks no other command
					problem = m.goesOn(t, p.copy(t))
				}
				if problem == "" {
					problem = m.finishes(t, p, may)
				}
				if problem == "" {
					problem = m.goesOn(t, p)
				}
				if problem != "" {
					t.Errorf("killed at call %d, %s\n%s", i, at.text, problem)
				}
			}
		})
	})
	t.Logf("%d points in %d commands: %d old, %d new, %d between two commits; %d not reached",
		points.Load(), len(mutations()), old.Load(), new.Load(), between.Load(), missed.Load())
	if missed.Load() > points.Load()/20 {
		t.Errorf("%d of the points were not reached", missed.Load())
	}
}
