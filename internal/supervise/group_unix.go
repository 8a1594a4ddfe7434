//go:build unix

package supervise

import (
	"os"
	"os/exec"
	"syscall"
)

// group is a process with everything that it starts.
type group struct{ cmd *exec.Cmd }

// start starts a command as the leader of a process group, so that its children can be
// stopped with it, and Ctrl-C at the terminal reaches onward alone.
// If it is tied, it ends with this process, where the system can do that. It also ends with
// the thread that starts it, so the caller locks that thread.
func start(cmd *exec.Cmd, tied bool) (group, error) {
	apart(cmd)
	if tied {
		tie(cmd.SysProcAttr)
	}
	return group{cmd}, cmd.Start()
}

// apart lets a command start in a process group of its own.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interrupt sends the group what Ctrl-C sends.
func (g group) interrupt() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGINT) }

// terminate asks the group to end. It ignores the error of a group that has ended already.
func (g group) terminate() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGTERM) }

func (g group) kill() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// close forgets the group.
func (g group) close() {}

// exitCode returns the exit code of a process; if a signal ended it, 128 and the signal, as a shell does.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}

// endGroup kills a process group.
func endGroup(leader int) { _ = syscall.Kill(-leader, syscall.SIGKILL) }
