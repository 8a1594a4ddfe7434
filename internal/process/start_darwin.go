package process

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Start returns when a process started; false if there is no such process.
func Start(pid int) (string, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return "", false
	}
	at := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), true
}

// Boot identifies the start of this machine.
func Boot() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}
