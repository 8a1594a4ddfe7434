package process

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used.
func CPUTime() time.Duration {
	var made, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &made, &ended, &kernel, &user) != nil {
		return 0
	}
	const unit = 100 // nanoseconds
	span := func(t syscall.Filetime) int64 { return (int64(t.HighDateTime)<<32 | int64(t.LowDateTime)) * unit }
	return time.Duration(span(kernel) + span(user))
}
