//go:build unix && !linux

package cluster

import "syscall"

// DieWithTest does nothing, because this system cannot end a process with its parent.
func DieWithTest() *syscall.SysProcAttr { return nil }
