package execute

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Gate is a command line of the user that has to pass. It is run by the shell
// in the environment of onward itself, as a git hook is.
type Gate struct {
	Command string
	Dir     string
	Timeout time.Duration
	Input   []byte // what it reads, for a command that is notified and proves nothing; a gate reads nothing
}

// GateResult is the result of a gate.
type GateResult struct {
	Code    int    // its exit code
	Problem string // why there is none, or why it proves nothing
	Output  string // the end of both its streams, in the order in which they came
}

// inGate is set for a gate and all that it starts: an onward among them runs no
// gate, which could be the one that runs already.
const inGate = "ONWARD_IN_GATE"

// InGate reports whether this process was started by a gate.
func InGate() bool { return os.Getenv(inGate) != "" }

// The exit codes of a shell that could not start a command.
const (
	notExecutable = 126
	notFound      = 127
)

// gateOutput is how many characters of a gate's output are kept.
const gateOutput = 10_000

// Run runs the gate. A signal kills it with all that it started, and is ErrInterrupted.
func (g Gate) Run(signals <-chan os.Signal) (GateResult, error) {
	// What is tied to this process is tied to the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	argv := shell(g.Command)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = g.Dir, os.Environ()
	if g.Input != nil {
		cmd.Stdin = bytes.NewReader(g.Input)
	} else {
		cmd.Env = append(cmd.Env, inGate+"=1")
	}
	output := newCapture(gateOutput, nil)
	cmd.Stdout, cmd.Stderr = &output.out, &output.out
	over := make(chan struct{})
	defer close(over)
	stop := make(chan order, 1)
	go func() {
		select {
		case <-signals:
			stop <- order{now: true}
		case <-over:
		}
	}()
	stopped, err := supervise(cmd, true, g.Timeout, stop)
	if cmd.Process == nil {
		return GateResult{Problem: "it could not be started: " + startProblem(cmd, err)}, nil
	}
	res := GateResult{Code: exitCode(cmd.ProcessState), Output: output.out.end()}
	switch {
	case stopped != nil && stopped.now:
		return res, ErrInterrupted
	case stopped != nil:
		res.Problem = stopped.reason
	case res.Code == notFound, res.Code == notExecutable:
		lines := strings.Split(strings.TrimSpace(res.Output), "\n")
		res.Problem = fmt.Sprintf("it could not be started (exit code %d): %s", res.Code, lines[len(lines)-1])
	}
	return res, nil
}
