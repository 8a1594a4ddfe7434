//go:build unix

package execute

import (
	"os/exec"
	"syscall"
)

// group is a process with everything that it starts.
type group struct{ cmd *exec.Cmd }

// start starts a command as the first of a process group of its own,
// so that what it starts can be stopped with it, and a Ctrl-C at our terminal is ours alone.
func start(cmd *exec.Cmd) (group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return group{cmd}, cmd.Start()
}

// terminate asks the group to end. Where it has ended already, nothing is left to do.
func (g group) terminate() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGTERM) }

// kill ends the group.
func (g group) kill() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// close forgets the group.
func (g group) close() {}
