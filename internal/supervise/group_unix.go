//go:build unix

package supervise

import (
	"os"
	"os/exec"
	"syscall"
)

// group is a process with everything that it starts.
type group struct{ cmd *exec.Cmd }

// start starts a command as the first of a process group of its own,
// so that what it starts can be stopped with it, and a Ctrl-C at our terminal is ours alone.
// One that is tied ends with this process, where the system can do that, and
// with the thread that starts it, which the caller holds on to.
func start(cmd *exec.Cmd, tied bool) (group, error) {
	apart(cmd)
	if tied {
		tie(cmd.SysProcAttr)
	}
	return group{cmd}, cmd.Start()
}

// apart starts a command in a process group of its own.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interrupt sends the group what Ctrl-C sends.
func (g group) interrupt() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGINT) }

// terminate asks the group to end. If it has ended already, nothing is left to do.
func (g group) terminate() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGTERM) }

func (g group) kill() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// close forgets the group.
func (g group) close() {}

// exitCode returns the code of a process; for one that a signal ended, the code that a shell would return.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}

// endGroup kills a process group.
func endGroup(leader int) { _ = syscall.Kill(-leader, syscall.SIGKILL) }
