package supervise

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"onward/internal/process"
)

// Gate is a command line of the user that has to pass. It is run by the shell
// in the environment of onward itself, as a git hook is.
type Gate struct {
	Command string
	Dir     string
	Timeout time.Duration
	Input   []byte // what it reads, for a command that is notified and proves nothing; a gate reads nothing

	Began func(GateRun) // is called before it runs, and again where its process must be known, so that a later process can end what is left of it; may be nil
	Gone  func() bool   // whether who asked has ended, which ends the gate; nil is not known
}

// GateResult is the result of a gate.
type GateResult struct {
	Code    int    // its exit code
	Problem string // why there is none, or why it says nothing
	Output  string // the end of both its streams, in the order in which they came
}

// inGate is set for a gate and all that it starts: an onward among them runs no
// gate, which could be the one that runs already.
const inGate = "ONWARD_IN_GATE"

// InGate reports whether this process was started by a gate.
func InGate() bool { return os.Getenv(inGate) != "" }

// interrupted waits until the gate is to end early, or is over.
func (g Gate) interrupted(signals <-chan os.Signal, over <-chan struct{}) bool {
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

// gateOutput is how many bytes of a gate's output are kept: those of 10,000 characters.
const gateOutput = 10_000 * utf8.UTFMax

// askInterval is how often a gate looks whether who asked for it is still there.
const askInterval = 500 * time.Millisecond

// Run runs the gate, and ends it with all that it started. A signal kills it, and so does the end of who asked:
// both are ErrInterrupted.
func (g Gate) Run(signals <-chan os.Signal) (GateResult, error) {
	// What is tied to this process is tied to the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	argv := Shell(g.Command)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = g.Dir, os.Environ()
	started := func() {}
	if g.Input != nil {
		cmd.Stdin = bytes.NewReader(g.Input)
	} else {
		run := newGateRun(g.Dir)
		cmd.Env = append(cmd.Env, inGate+"="+run.Mark)
		defer endDescendants()()
		if g.Began != nil {
			g.Began(run) // before anything of it can run
			started = func() {
				if !process.FindsMarked {
					run.PID = cmd.Process.Pid
					run.Start, _ = process.Start(run.PID)
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
		if g.interrupted(signals, over) {
			stop <- Order{Now: true}
		}
	}()
	stopped, err := Command(cmd, true, g.Timeout, stop, started)
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
		lines := strings.Split(strings.TrimSpace(res.Output), "\n")
		res.Problem = fmt.Sprintf("it could not be started (exit code %d): %s", res.Code, lines[len(lines)-1])
	}
	return res, nil
}
