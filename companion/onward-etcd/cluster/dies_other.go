//go:build unix && !linux

package cluster

import "syscall"

// dieWithTest ends a server with the test where the system can do so; here it cannot.
func dieWithTest() *syscall.SysProcAttr { return nil }
