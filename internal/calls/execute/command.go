package execute

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
)

const (
	// grace is how long a process has to end after it was asked to.
	grace = 5 * time.Second
	// afterExit is how long its output is read when it has ended and something that it left behind still holds it open.
	afterExit = time.Second
)

// order asks a running call to end.
type order struct {
	status schedule.Status // cancelled, or error after a timeout
	class  string
	reason string
	now    bool // without a time to end by itself
}

// command runs a program for a call and returns its end. Orders come through stop.
func (r *Runner) command(c *schedule.Call, t *tool.Tool, stop <-chan order) schedule.Ending {
	end := schedule.Ending{ID: c.ID, Status: schedule.Errored, Class: schedule.ClassStart}
	cmd, err := r.prepare(c, t)
	if err != nil {
		end.Reason = err.Error()
		return end
	}
	output := Output(r.Name, c.ID)
	capture := newCapture(t.MaxOutput, func() (*os.File, error) { return r.Outputs.create(r.Name, output) })
	cmd.Stdout, cmd.Stderr = &capture.out, &capture.err
	stopped, err := supervise(cmd, false, r.limit(t), stop, func() {})
	if cmd.Process == nil {
		end.Reason = startProblem(cmd, err)
		return end
	}
	res := &schedule.Result{ExitCode: cmd.ProcessState.ExitCode()}
	res.Stdout, res.Stderr, res.Truncated = capture.finish(output)
	switch {
	case res.Truncated:
		res.Output = output
		if err := r.Outputs.share(r.Name, output); err != nil && capture.failed == nil {
			capture.failed = err
		}
	case capture.file != nil:
		r.Outputs.Remove([]string{output})
	}
	end.Result, end.Class = res, ""
	switch {
	case stopped != nil:
		end.Status, end.Class, end.Reason = stopped.status, stopped.class, stopped.reason
	case err == nil || errors.Is(err, exec.ErrWaitDelay) && res.ExitCode == 0:
		end.Status = schedule.Success
	default:
		end.Class, end.Reason = schedule.ClassFailed, cmd.ProcessState.String()
	}
	if capture.failed != nil {
		end.Reason = strings.TrimPrefix(end.Reason+"; ", "; ") + "its whole output could not be kept: " + capture.failed.Error()
	}
	return end
}

func (r *Runner) limit(t *tool.Tool) time.Duration {
	timeout := cmp.Or(t.Timeout, tool.DefaultTimeout)
	if r.Timeout > 0 && (t.Timeout == 0 || r.Timeout < timeout) {
		return r.Timeout
	}
	return timeout
}

// supervise runs a command to its end, and brings the end about where it is ordered or takes too long.
// A command that could not be started has no process.
func supervise(cmd *exec.Cmd, tied bool, timeout time.Duration, stop <-chan order, started func()) (*order, error) {
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
	var stopped *order
	var harder <-chan time.Time
	terminate := func(o order) {
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
			if o.now {
				g.kill()
			}
		case <-limit.C:
			terminate(order{status: schedule.Errored, class: schedule.ClassTimeout, reason: fmt.Sprintf("it ran longer than %v", timeout)})
		case <-harder:
			g.kill()
		}
	}
}

// prepare makes the command of a call, with no shell in between.
func (r *Runner) prepare(c *schedule.Call, t *tool.Tool) (*exec.Cmd, error) {
	argv, err := t.Argv(c.Args)
	if err != nil {
		return nil, err
	}
	env := environment(t.Env)
	if t.Builtin() {
		argv, env = shell(tool.Text(c.Args, "command")), environment(r.Env)
	}
	dir := c.Cwd
	if t.Cwd != "" {
		if dir = filepath.FromSlash(t.Cwd); !filepath.IsAbs(dir) {
			dir = filepath.Join(c.Cwd, dir)
		}
	}
	program := argv[0]
	if strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) {
		program = filepath.Join(dir, program)
	}
	cmd := exec.Command(program, argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir, cmd.Env = dir, env
	if t.Stdin == "args" {
		cmd.Stdin = strings.NewReader(string(c.Args) + "\n")
	}
	return cmd, nil
}

func shell(line string) []string { return []string{"sh", "-c", line} }

// environment returns the variables of a tool: those for folders and the user, which nearly every program needs,
// those that lead onward itself to this session, and those that are named. No key or token is among the first.
func environment(names []string) []string {
	var env []string
	for _, name := range append([]string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
		"ONWARD_STORE", "ONWARD_SESSION", "ONWARD_AGENT",
		"SystemRoot", "SystemDrive", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ComSpec", "WINDIR",
	}, names...) {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func startProblem(cmd *exec.Cmd, err error) string {
	if errors.Is(err, fs.ErrNotExist) && cmd.Dir != "" {
		if _, missing := os.Stat(cmd.Dir); missing != nil {
			return fmt.Sprintf("the folder %q that it is to run in is not there", cmd.Dir)
		}
	}
	return err.Error()
}
