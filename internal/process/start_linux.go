package process

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// StartTime returns when a process started, in ticks since the machine did; false if there is no such process.
func StartTime(pid int) (start string, exists bool) {
	p, ok := stat(pid)
	if !ok || p.ended {
		return "", false
	}
	return p.start, true
}

// stat describes a process by the kernel's record, without its command line.
func stat(pid int) (program, bool) {
	data, err := readFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return program{}, false
	}
	return parseStat(pid, data)
}

// parseStat reads the kernel's record. The name of the program is in parentheses and may contain anything.
func parseStat(pid int, data []byte) (program, bool) {
	from, to := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if from < 0 || to < from {
		return program{}, false
	}
	fields := strings.Fields(string(data[to+1:])) // from its state on
	if len(fields) < 20 {
		return program{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	ended := fields[0] == "Z" || fields[0] == "X"
	return program{pid: pid, parent: parent, start: fields[19], ended: ended, name: string(data[from+1 : to])}, err == nil
}

// BootID identifies the start of this machine.
func BootID() string {
	data, err := readFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// readFile reads a file of the kernel. It avoids os.Open, which registers the file with the poller: that would cost a hook
// more than everything else that it does about processes.
func readFile(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	return io.ReadAll(f)
}
