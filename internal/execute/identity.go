package execute

import (
	"os"

	"onward/internal/schedule"
)

// thisProcess identifies this process.
func thisProcess() schedule.Process {
	start, _ := startOf(os.Getpid())
	return schedule.Process{PID: os.Getpid(), Start: start, Boot: boot()}
}

// Alive reports whether a process still runs. Its number alone would not do: numbers are given out again.
func Alive(p *schedule.Process) bool {
	if p == nil || p.Boot != boot() {
		return false
	}
	start, ok := startOf(p.PID)
	return ok && start == p.Start
}
