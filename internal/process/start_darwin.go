package process

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// StartTime returns when a process started; false if there is no such process.
func StartTime(pid int) (start string, exists bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return "", false
	}
	at := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), true
}

// BootID identifies the start of this machine.
func BootID() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}
