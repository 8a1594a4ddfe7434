//go:build unix && !linux && !darwin

package execute

import (
	"os"
	"syscall"
)

// startOf reports whether there is such a process; when it started, this system does not easily tell.
func startOf(pid int) (string, bool) {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return "", false
	}
	return "", true
}

// boot is not known here.
func boot() string { return "" }
