//go:build unix && !linux

package cluster

import "syscall"

// DieWithTest ends a process with the test where the system can do so; here it cannot.
func DieWithTest() *syscall.SysProcAttr { return nil }
