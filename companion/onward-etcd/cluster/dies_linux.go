package cluster

import "syscall"

// DieWithTest ends a process that a test starts also where the test is killed.
func DieWithTest() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
