//go:build unix && !linux && !darwin

package process

import (
	"os"
	"syscall"
)

// StartTime reports whether there is such a process; the start time is not easily available on this system.
func StartTime(pid int) (start string, exists bool) {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return "", false
	}
	return "", true
}

// BootID returns an empty id, because onward cannot tell one boot of this system from another.
func BootID() string { return "" }
