package cluster

import "syscall"

// dieWithTest ends a server also where the test is killed.
func dieWithTest() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
