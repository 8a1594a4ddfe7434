package process

import (
	"strconv"

	"golang.org/x/sys/windows"
)

// StartTime returns when a process started; false if there is no such process.
func StartTime(pid int) (start string, exists bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return "", false
	}
	defer windows.CloseHandle(h)
	var made, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &made, &ended, &kernel, &user); err != nil {
		return "", false
	}
	if ended.Nanoseconds() > made.Nanoseconds() {
		return "", false
	}
	return strconv.FormatInt(made.Nanoseconds(), 10), true
}

// BootID is empty: the start of a process is a date here, and no two processes with one id have the same.
func BootID() string { return "" }
