package supervise

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"onward/internal/object"
	"onward/internal/process"
	"onward/internal/session"
)

// GateRun identifies the processes of a running gate. It is saved while the gate runs, so that
// if the onward that runs it is killed, the next one can end what is left.
type GateRun struct {
	Runner session.Process
	PID    int    // of the gate's shell, which leads a process group; 0 if Mark is enough to find it
	Start  string // when the shell started
	Dir    string // where it runs
	Mark   string // the value of ONWARD_IN_GATE in the environment of the gate's processes: process id, start, time
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
	start, _ := process.StartTime(pid)
	return GateRun{
		Runner: session.Process{PID: pid, Start: start, Boot: process.BootID()}, Dir: dir,
		Mark: fmt.Sprintf("%d.%s.%d", pid, start, time.Now().UnixNano()),
	}
}

// How processes that a gate left behind are ended.
const (
	endGrace = 200 * time.Millisecond // from SIGTERM to SIGKILL
	endLimit = 3 * time.Second        // then the rest is left alone, since it must belong to another user
	endLook  = 5 * time.Millisecond
)

// endDescendants notes the children of this process. The function that it returns ends every
// descendant that came later.
func endDescendants() (end func()) {
	spared, release := process.Children(), process.AdoptOrphans()
	return func() {
		defer release()
		signal, began := syscall.SIGTERM, time.Now()
		for process.KillDescendantsExcept(spared, signal) && time.Since(began) < endLimit {
			time.Sleep(endLook)
			if signal = 0; time.Since(began) > endGrace {
				signal = syscall.SIGKILL
			}
		}
	}
}

// The names of a process in the list of processes, while it runs a gate, or an agent below a keeper. What these have started is found
// below it, also where it has cleared its environment and its own parent has ended, as that of an agent which kills its keeper.
const (
	RunnerName = "onward-gate"
	TurnName   = "onward-turn"
)

// renamed has the names of this process: the one that it had first, and one for each gate and agent that runs.
var renamed struct {
	sync.Mutex
	names []string
}

// rename gives this process another name, until the function that it returns is called.
func rename(name string) (restore func()) {
	renamed.Lock()
	defer renamed.Unlock()
	if len(renamed.names) == 0 {
		renamed.names = []string{process.Name()}
	}
	renamed.names = append(renamed.names, name)
	process.Rename(name)
	return func() {
		renamed.Lock()
		defer renamed.Unlock()
		if i := slices.Index(renamed.names[1:], name); i >= 0 {
			renamed.names = slices.Delete(renamed.names, i+1, i+2)
			process.Rename(renamed.names[len(renamed.names)-1])
		}
	}
}

// Mark makes what a program starts count as an agent's, also where it clears its environment: an agent may have put a program of that
// name into a folder of PATH. The variable is that of a gate, or of a run. The caller calls the returned function once the program has ended.
func Mark(cmd *exec.Cmd, variable string) (ended func()) {
	if cmd.Env == nil {
		cmd.Env = cmd.Environ()
	}
	if !slices.ContainsFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, variable+"=") && len(v) > len(variable)+1 }) {
		cmd.Env = append(slices.Clip(cmd.Env), variable+"=onward")
	}
	return rename(map[string]string{InGateVariable: RunnerName, RunVariable: TurnName}[variable])
}

// End kills what is left of a gate whose runner was killed.
func (g *GateRun) End() {
	if boot := process.BootID(); boot == "" || g.Runner.Boot != boot {
		return
	}
	if g.PID > 1 {
		if start, there := process.StartTime(g.PID); there && start == g.Start {
			endGroup(g.PID)
		}
	}
	EndMarked(InGateVariable, g.Mark)
}

// EndMarked kills every process whose environment has a variable with this value. It reports
// whether all that it can see are gone.
func EndMarked(name, mark string) bool {
	for began := time.Now(); mark != "" && process.KillMarked(name, mark); time.Sleep(endLook) {
		if time.Since(began) >= endLimit {
			return false
		}
	}
	return true
}
