package realagents

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolatedVariable is set in the process that runs in the network namespace.
const isolatedVariable = "ONWARD_REAL_AGENTS_ISOLATED"

// isolate runs the tests again in a network namespace that has only loopback, so that the programs
// can reach only the scripted model. It returns the exit code of that run;
// ok is false in that run itself, and if the system does not allow such namespaces.
func isolate() (code int, ok bool) {
	if os.Getenv(isolatedVariable) != "" {
		if err := loopbackUp(); err != nil {
			fmt.Fprintf(os.Stderr, "bring up loopback: %v\n", err)
			os.Exit(1)
		}
		return 0, false
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), isolatedVariable+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(os.Stderr, "no network namespace (%v): the programs run with the machine's network\n", err)
		return 0, false
	}
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), true
}

func loopbackUp() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, lo)
}
