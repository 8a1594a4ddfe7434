package process

import (
	"bytes"
	"iter"
	"os"
	"strconv"
	"strings"

	"onward/internal/session"
)

// maxAncestors limits the search for an agent among the ancestors: a hook runs in a shell or two.
const maxAncestors = 8

// Agent returns the process of the agent that started this hook; nil where it is not found, or outlives its
// conversations, so that it proves nothing about any one of them: outlives tells that by a command line, and is nil
// for an agent that has no such process. The process that was recorded, nil if there is none,
// is recognised by its id and its start, which need less reading.
func Agent(name string, outlives func(args []string) bool, recorded *session.Process) *session.Process {
	if recorded != nil && isAncestor(recorded) {
		return recorded
	}
	p, found := nearest(name)
	here := place()
	if !found || here.Boot == "" || outlives != nil && outlives(p.args) {
		return nil
	}
	here.PID, here.Start = p.pid, p.start
	return &here
}

// Server returns the working folder of the agent's server, where one started this hook; empty elsewhere.
// The environment of the hook is that of the server's start, whichever conversation the hook is about.
func Server(name string, outlives func(args []string) bool) (folder string) {
	if p, found := nearest(name); found && outlives != nil && outlives(p.args) {
		folder, _ = os.Readlink("/proc/" + strconv.Itoa(p.pid) + "/cwd")
	}
	return folder
}

// nearest returns the nearest ancestor that is the agent's.
func nearest(name string) (p program, found bool) {
	for p := range ancestors() {
		line, err := readFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline")
		if err != nil {
			return p, false
		}
		if p.args = strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00"); p.is(name) {
			return p, true
		}
	}
	return p, false
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

// place returns the machine, its start and the namespace of this process: only within those can ids be compared.
func place() session.Process {
	host, _ := os.Hostname()
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return session.Process{Host: host, Boot: Boot(), Namespace: namespace}
}

// Self returns this process; nil on a system where a later process with the same id cannot be distinguished.
func Self() *session.Process { return Of(os.Getpid()) }

// Of returns a process of this machine; nil where it is gone.
func Of(pid int) *session.Process {
	here := place()
	start, ok := Start(pid)
	if !ok || here.Boot == "" {
		return nil
	}
	here.PID, here.Start = pid, start
	return &here
}
