package execute

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// startOf gives when a process started, in ticks since the machine did; false where there is no such process.
func startOf(pid int) (string, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", false
	}
	// The name of the program stands in brackets and may hold anything; the start is the 20th field behind it.
	at := bytes.LastIndexByte(data, ')')
	fields := strings.Fields(string(data[at+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "", false
	}
	return fields[19], true
}

// boot identifies the time since the machine started.
func boot() string {
	data, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
