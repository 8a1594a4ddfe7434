package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// Start returns when a process started, in ticks since the machine did; false where there is no such process.
func Start(pid int) (string, bool) {
	_, fields, ok := stat(pid)
	if !ok || fields[0] == "Z" || fields[0] == "X" {
		return "", false
	}
	return fields[19], true
}

// stat reads the name of a process and what the kernel says of it from its state on.
func stat(pid int) (name string, fields []string, ok bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", nil, false
	}
	// The name of the program is in parentheses and may contain anything.
	from, to := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if from < 0 || to < from {
		return "", nil, false
	}
	fields = strings.Fields(string(data[to+1:]))
	return string(data[from+1 : to]), fields, len(fields) >= 20
}

// Boot identifies the time since the machine started.
func Boot() string {
	data, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
