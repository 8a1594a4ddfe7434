//go:build unix && !linux

package supervise

import "syscall"

// tie does nothing, because this system has no signal for the death of a parent.
func tie(*syscall.SysProcAttr) {}
