package process

import (
	"bytes"
	"iter"
	"os"
	"strconv"
	"strings"

	"onward/internal/session"
)

// maxAncestors is how far an agent is looked for: a hook runs in a shell or two.
const maxAncestors = 8

// Agent returns the process of the agent that started this hook; nil where it is not found,
// or serves more than one conversation. The one that was recorded, nil where there is none,
// is known again by its id and its start, for which less has to be read.
func Agent(name string, recorded *session.Process) *session.Process {
	if recorded != nil && isAncestor(recorded) {
		return recorded
	}
	for p := range ancestors() {
		line, err := readFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline")
		if err != nil {
			return nil
		}
		p.args = strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00")
		if !p.is(name) {
			continue
		}
		found := place()
		if found.Boot == "" || p.daemon(name) {
			return nil
		}
		found.PID, found.Start = p.pid, p.start
		return &found
	}
	return nil
}

func isAncestor(recorded *session.Process) bool {
	for p := range ancestors() {
		if p.pid == recorded.PID {
			return p.start == recorded.Start
		}
	}
	return false
}

// ancestors yields the processes that started this one, the nearest first, without their command lines.
func ancestors() iter.Seq[program] {
	return func(yield func(program) bool) {
		pid := os.Getppid()
		for range maxAncestors {
			p, ok := stat(pid)
			if !ok || pid <= 1 || !yield(p) {
				return
			}
			pid = p.parent
		}
	}
}

// place returns what a process of this machine and namespace has in common with this one.
func place() session.Process {
	host, _ := os.Hostname()
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return session.Process{Host: host, Boot: Boot(), Namespace: namespace}
}
