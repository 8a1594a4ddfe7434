package execute

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/supervise"
)

// runCommand runs a program for a call and returns how it ended. Requests to end it come through stop.
func (r *Runner) runCommand(c *schedule.Call, t *tool.Tool, stop <-chan supervise.Order) schedule.Ending {
	end := schedule.Ending{ID: c.ID, Status: schedule.Errored, Class: schedule.ClassStart}
	cmd, err := r.newCommand(c, t)
	if err != nil {
		end.Reason = err.Error()
		return end
	}
	output := OutputPath(r.Name, c.ID)
	capture := newCapture(t.MaxOutput, func() (*os.File, error) { return r.Outputs.create(r.Name, output) })
	cmd.Stdout, cmd.Stderr = &capture.out, &capture.err
	defer supervise.Mark(cmd, supervise.RunVariable)() // a call that a rule allows still has no person's rights
	stopped, err := supervise.RunCommand(cmd, false, r.limit(t), stop, func() {})
	if cmd.Process == nil {
		end.Reason = supervise.StartProblem(cmd, err)
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
	case stopped != nil && stopped.Timeout:
		end.Class, end.Reason = schedule.ClassTimeout, stopped.Reason
	case stopped != nil:
		end.Status, end.Reason = schedule.Cancelled, stopped.Reason
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

// newCommand makes the command of a call, with no shell in between.
func (r *Runner) newCommand(c *schedule.Call, t *tool.Tool) (*exec.Cmd, error) {
	argv, err := t.Argv(c.Args)
	if err != nil {
		return nil, err
	}
	env := environment(t.Env)
	if t.Builtin() {
		argv, env = supervise.ShellArgs(tool.TextArg(c.Args, "command")), environment(r.Env)
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

// environment returns the variables of a tool: those of folders and the user, which nearly every program needs and
// which contain no key or token, those by which onward finds this session, and those that the declaration names.
func environment(names []string) []string {
	var env []string
	for _, name := range append([]string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
		"ONWARD_STORE", "ONWARD_SESSION", "ONWARD_AGENT", supervise.RunVariable, supervise.ItemVariable, supervise.InGateVariable,
		"SystemRoot", "SystemDrive", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ComSpec", "WINDIR",
	}, names...) {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}
