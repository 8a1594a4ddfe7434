package supervise

import "syscall"

// tie lets the kernel kill a process when the thread that starts it ends.
func tie(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
