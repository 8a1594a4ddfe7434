package execute

import (
	"os"

	"onward/internal/calls/schedule"
	"onward/internal/process"
)

func thisProcess() schedule.Process {
	start, _ := process.StartTime(os.Getpid())
	return schedule.Process{PID: os.Getpid(), Start: start, Boot: process.BootID()}
}

// Alive reports whether a process still runs. Its id alone is not enough, because the system uses ids again.
func Alive(p *schedule.Process) bool {
	if p == nil || p.Boot != process.BootID() {
		return false
	}
	start, ok := process.StartTime(p.PID)
	return ok && start == p.Start
}
