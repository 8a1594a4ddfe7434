// Package supervise runs gates, the programs of `onward run` and, for package execute, the tools of
// calls. It ends each of them with every process that it started.
package supervise

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"onward/internal/todo"
)

const (
	// grace is the time between asking a process to end and killing it.
	grace = 5 * time.Second
	// afterExit is how long the output of a process that has ended is read while a child of it keeps it open.
	afterExit = time.Second
)

// ErrInterrupted means that a signal ended the command.
var ErrInterrupted = errors.New("interrupted")

// Order asks a running command to end.
type Order struct {
	Reason  string
	Now     bool // kill it without a grace
	Timeout bool // it ran for longer than its limit
}

// RunCommand runs a command to its end, and ends it itself when it is ordered to, or after the timeout. It returns
// the order that ended the command, or nil. If the command could not be started, cmd.Process is nil. A tied
// command ends with this process, where the system can do that. Started is called once the command runs.
func RunCommand(cmd *exec.Cmd, tied bool, timeout time.Duration, stop <-chan Order, started func()) (*Order, error) {
	cmd.WaitDelay = afterExit
	g, err := start(cmd, tied)
	if err != nil {
		return nil, err
	}
	defer g.close()
	started()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	var stopped *Order
	var harder <-chan time.Time
	terminate := func(o Order) {
		if stopped == nil {
			stopped, harder = &o, time.After(grace)
			g.terminate()
		}
	}
	for {
		select {
		case err := <-ended:
			if stopped != nil {
				// Its children end too.
				g.kill()
			}
			return stopped, err
		case o := <-stop:
			terminate(o)
			if o.Now {
				g.kill()
			}
		case <-limit.C:
			terminate(Order{Timeout: true, Reason: fmt.Sprintf("it ran longer than %s", todo.SpanText(timeout))})
		case <-harder:
			g.kill()
		}
	}
}

// ShellArgs returns the arguments with which sh runs a command line.
func ShellArgs(line string) []string { return []string{"sh", "-c", line} }

// StartProblem explains why a command could not be started.
func StartProblem(cmd *exec.Cmd, err error) string {
	if errors.Is(err, fs.ErrNotExist) && cmd.Dir != "" {
		if problem := FolderProblem(cmd.Dir); problem != "" {
			return problem
		}
	}
	return err.Error()
}

// FolderProblem explains that the folder in which a command is to run is not there; empty if it is.
func FolderProblem(dir string) string {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("the folder %q that it is to run in is not there", dir)
	}
	return ""
}
