package supervise

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a process with everything that it starts: a job.
type group struct {
	cmd *exec.Cmd
	job windows.Handle
}

// start starts a command in a job, so that its children can be stopped with it.
// If it is tied, the job ends with this process.
func start(cmd *exec.Cmd, tied bool) (group, error) {
	apart(cmd)
	g := group{cmd: cmd}
	if err := cmd.Start(); err != nil {
		return g, err
	}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g, nil // without a job, the process can still be ended, without its children
	}
	g.job = job
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	if tied {
		limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	}
	_, _ = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid)); err == nil {
		_ = windows.AssignProcessToJobObject(job, h)
		_ = windows.CloseHandle(h)
	}
	return g, nil
}

// apart lets a command start in a process group of its own.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// interrupt sends Ctrl-Break, the only such event that a process group of its own receives.
func (g group) interrupt() { g.terminate() }

// terminate asks the process to end, as Ctrl-Break does.
func (g group) terminate() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(g.cmd.Process.Pid))
}

func (g group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	_ = g.cmd.Process.Kill()
}

// close forgets the job; processes that still run in it continue.
func (g group) close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}

func exitCode(state *os.ProcessState) int { return int(uint32(state.ExitCode())) }

// endGroup does nothing, because a job ends with the process that made it.
func endGroup(int) {}
