package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"onward/internal/session"
)

// maxAncestors is how far an agent is looked for: a hook runs in a shell or two.
const maxAncestors = 8

// Agent returns the process of the agent that started this hook; nil where it is not found,
// or serves more than one conversation.
func Agent(name string) *session.Process {
	for pid, i := os.Getppid(), 0; pid > 1 && i < maxAncestors; i++ {
		p, ok := look(pid)
		if !ok {
			return nil
		}
		if !p.is(name) {
			pid = p.parent
			continue
		}
		if p.daemon(name) {
			return nil
		}
		found := place()
		found.PID = pid
		if found.Start, ok = Start(pid); !ok || found.Boot == "" {
			return nil
		}
		return &found
	}
	return nil
}

// look describes a process.
func look(pid int) (program, bool) {
	name, fields, ok := stat(pid)
	if !ok {
		return program{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return program{}, false
	}
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return program{}, false
	}
	args := strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00")
	return program{pid: pid, parent: parent, name: name, args: args}, true
}

// place returns what a process of this machine and namespace has in common with this one.
func place() session.Process {
	host, _ := os.Hostname()
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return session.Process{Host: host, Boot: Boot(), Namespace: namespace}
}
