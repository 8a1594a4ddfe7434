//go:build unix && !linux

package execute

import "syscall"

// tie does nothing: this system has no signal for the death of a parent.
func tie(*syscall.SysProcAttr) {}
