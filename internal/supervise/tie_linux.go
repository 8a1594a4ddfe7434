package supervise

import "syscall"

// tie lets a process be killed when the thread that starts it ends.
func tie(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
