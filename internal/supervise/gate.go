package supervise

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"onward/internal/process"
)

// Gate is a command line of the user that has to pass. The shell runs it in
// the environment of onward itself, as git runs a hook.
type Gate struct {
	Command string
	Dir     string
	Timeout time.Duration
	Env     []string // nil is the environment of this process
	Input   []byte   // the standard input of a command that is only notified; a gate, whose input is empty, has nil

	// Began is called before the gate runs, and once more where its process id
	// is needed to find it: a later onward ends what a killed one left behind.
	// It may be nil.
	Began func(GateRun)
	Gone  func() bool // reports whether the process that asked has ended, which ends the gate; may be nil
}

// GateResult is the result of a gate.
type GateResult struct {
	Code    int    // its exit code
	Problem string // why the gate has no code, or why the code is not its verdict
	Output  string // the end of standard output and standard error, interleaved as they were written
}

// InGateVariable is set in the environment of a gate. An onward that the gate starts
// runs no gate, because that could be the same one, without end.
const InGateVariable = "ONWARD_IN_GATE"

// RunVariable is the variable that a run sets for its agent, and ItemVariable the one by which it tells the agent the item of a queue
// that it is about, as --item has it.
const (
	RunVariable  = "ONWARD_RUN"
	ItemVariable = "ONWARD_ITEM"
)

// InGate reports whether this process says that a gate started it. Then it runs no gate, and proves nothing.
func InGate() bool { return os.Getenv(InGateVariable) != "" }

// UnderGate reports whether the gate that is named there runs, with this process in it: anybody can set a variable.
func UnderGate() bool {
	pid, rest, _ := strings.Cut(os.Getenv(InGateVariable), ".")
	id, err := strconv.Atoi(pid)
	return err == nil && process.IsAncestor(id, rest[:max(0, strings.LastIndexByte(rest, '.'))], RunnerName)
}

// waitForInterrupt waits for a signal, for the end of the process that asked, or for
// the end of the gate, and reports whether the gate has to end early.
func (g Gate) waitForInterrupt(signals <-chan os.Signal, over <-chan struct{}) bool {
	var look <-chan time.Time
	if g.Gone != nil {
		ticker := time.NewTicker(askInterval)
		defer ticker.Stop()
		look = ticker.C
	}
	for {
		select {
		case <-signals:
			return true
		case <-look:
			if g.Gone() {
				return true
			}
		case <-over:
			return false
		}
	}
}

// The exit codes of a shell that could not start a command.
const (
	notExecutable = 126
	notFound      = 127
)

// gateOutput is the most bytes of a gate's output that are kept: 10,000
// characters have no more.
const gateOutput = 10_000 * utf8.UTFMax

// askInterval is how often Gone is asked.
const askInterval = 500 * time.Millisecond

// Run runs the gate, and ends every process that it started. If a signal comes,
// or the process that asked ends, Run kills the gate and returns ErrInterrupted.
func (g Gate) Run(signals <-chan os.Signal) (GateResult, error) {
	// The system ends a tied process with the thread that started it, so the thread must stay.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	argv := ShellArgs(g.Command)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = g.Dir, slices.Clone(g.Env)
	if g.Env == nil {
		cmd.Env = os.Environ()
	}
	started := func() {}
	if g.Input != nil {
		cmd.Stdin = bytes.NewReader(g.Input)
	} else {
		run := newGateRun(g.Dir)
		cmd.Env = append(cmd.Env, InGateVariable+"="+run.Mark)
		defer rename(RunnerName)() // after the end of what it has started
		defer endDescendants()()
		if g.Began != nil {
			g.Began(run) // it is on record before the gate can do anything
			started = func() {
				if !process.CanFindMarked {
					run.PID = cmd.Process.Pid
					run.Start, _ = process.StartTime(run.PID)
					g.Began(run)
				}
			}
		}
	}
	output := &tail{size: gateOutput}
	cmd.Stdout, cmd.Stderr = output, output
	over := make(chan struct{})
	defer close(over)
	stop := make(chan Order, 1)
	go func() {
		if g.waitForInterrupt(signals, over) {
			stop <- Order{Now: true}
		}
	}()
	stopped, err := RunCommand(cmd, true, g.Timeout, stop, started)
	if cmd.Process == nil {
		return GateResult{Problem: "it could not be started: " + StartProblem(cmd, err)}, nil
	}
	res := GateResult{Code: exitCode(cmd.ProcessState), Output: output.end()}
	switch {
	case stopped != nil && stopped.Now:
		return res, ErrInterrupted
	case stopped != nil:
		res.Problem = stopped.Reason
	case res.Code == notFound, res.Code == notExecutable:
		res.Problem = fmt.Sprintf("it could not be started (exit code %d)", res.Code)
		if lines := strings.Split(strings.TrimSpace(res.Output), "\n"); lines[len(lines)-1] != "" {
			res.Problem += ": " + lines[len(lines)-1]
		}
	}
	return res, nil
}
