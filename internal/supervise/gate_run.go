package supervise

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"onward/internal/object"
	"onward/internal/process"
	"onward/internal/session"
)

// GateRun identifies the processes of a gate that runs. It is kept while the gate runs: if the process that runs it
// is killed, which nothing can prevent, the next one ends what is left.
type GateRun struct {
	Runner session.Process
	PID    int    // of the gate's shell, which leads a process group; 0 where the mark is enough
	Start  string // when that started
	Dir    string // where it runs
	Mark   string // the value of ONWARD_IN_GATE in all that the gate has started
}

// Fields lists the members of the record.
func (g *GateRun) Fields(f *object.Fields) {
	f.Require("runner", "mark")
	f.Object("runner", &g.Runner)
	f.OmitEmpty().Int("pid", &g.PID)
	object.Text(f.OmitEmpty(), "start", &g.Start)
	object.Text(f.OmitEmpty(), "dir", &g.Dir)
	object.Text(f, "mark", &g.Mark)
}

// newGateRun describes a gate of this process before it runs.
func newGateRun(dir string) GateRun {
	pid := os.Getpid()
	start, _ := process.Start(pid)
	return GateRun{
		Runner: session.Process{PID: pid, Start: start, Boot: process.Boot()}, Dir: dir,
		Mark: fmt.Sprintf("%d.%s.%d", pid, start, time.Now().UnixNano()),
	}
}

// The end of what a gate has left behind.
const (
	endGrace = 200 * time.Millisecond // after which it is killed
	endLimit = 3 * time.Second        // after which the rest is left alone: it belongs to another user
	endLook  = 5 * time.Millisecond
)

// endDescendants notes which processes this one has started. The function that it returns ends those that came since,
// with all that they started.
func endDescendants() (end func()) {
	spared, release := process.Children(), process.Adopt()
	return func() {
		defer release()
		signal, began := syscall.SIGTERM, time.Now()
		for process.KillDescendants(spared, signal) && time.Since(began) < endLimit {
			time.Sleep(endLook)
			if signal = 0; time.Since(began) > endGrace {
				signal = syscall.SIGKILL
			}
		}
	}
}

// End kills what is left of a gate whose runner was killed.
func (g *GateRun) End() {
	if boot := process.Boot(); boot == "" || g.Runner.Boot != boot {
		return
	}
	if g.PID > 1 {
		if start, there := process.Start(g.PID); there && start == g.Start {
			endGroup(g.PID)
		}
	}
	EndMarked(inGate, g.Mark)
}

// EndMarked kills every process in whose environment a variable has a value. It reports whether all of them are gone,
// as far as that can be known.
func EndMarked(name, mark string) bool {
	for began := time.Now(); mark != "" && process.KillMarked(name, mark); time.Sleep(endLook) {
		if time.Since(began) >= endLimit {
			return false
		}
	}
	return true
}
