package cluster

import "syscall"

// DieWithTest ends a process that a test starts even if the test is killed.
func DieWithTest() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
