// Package supervise runs the user's commands and the agents' programs, and ends them with all that they started: gates,
// the programs of `onward run`, and for package execute the tools of calls.
package supervise

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"time"
)

const (
	// grace is how long a process has to end after it was asked to.
	grace = 5 * time.Second
	// afterExit is how long its output is read when it has ended and something that it left behind still holds it open.
	afterExit = time.Second
)

// ErrInterrupted means that a signal ended what ran.
var ErrInterrupted = errors.New("interrupted")

// Order asks a running command to end.
type Order struct {
	Reason  string
	Now     bool // without a time to end by itself
	Timeout bool // it ran longer than it may
}

// Command runs a command to its end, and brings the end about where it is ordered or takes too long. It returns the
// order that ended it, if one did. A command that could not be started has no process. One that is tied ends with this
// process, where the system can do that. Started is called once it runs.
func Command(cmd *exec.Cmd, tied bool, timeout time.Duration, stop <-chan Order, started func()) (*Order, error) {
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
				// What it left behind must not continue either.
				g.kill()
			}
			return stopped, err
		case o := <-stop:
			terminate(o)
			if o.Now {
				g.kill()
			}
		case <-limit.C:
			terminate(Order{Timeout: true, Reason: fmt.Sprintf("it ran longer than %v", timeout)})
		case <-harder:
			g.kill()
		}
	}
}

// Shell returns the words that let the shell run a command line.
func Shell(line string) []string { return []string{"sh", "-c", line} }

// StartProblem says why a command could not be started.
func StartProblem(cmd *exec.Cmd, err error) string {
	if errors.Is(err, fs.ErrNotExist) && cmd.Dir != "" {
		if _, missing := os.Stat(cmd.Dir); missing != nil {
			return fmt.Sprintf("the folder %q that it is to run in is not there", cmd.Dir)
		}
	}
	return err.Error()
}
