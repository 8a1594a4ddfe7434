package process

import (
	"bytes"
	"iter"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"onward/internal/session"
)

const (
	maxAncestors = 8             // of a search for an agent: a hook runs in a shell or two
	anyAncestors = math.MaxInt32 // of a search that an agent may want to escape, by a long chain of shells
)

// FindAgent returns the process of the agent that started this hook; nil if it is not found, or outlives its
// conversations, so that it proves nothing about any one of them: outlives tells that by a command line, and is nil
// for an agent that has no such process. The process that was recorded, nil if there is none,
// is recognised by its id and its start, which need less reading.
func FindAgent(name string, outlives func(args []string) bool, recorded *session.Process) *session.Process {
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

// ServerFolder returns the working folder of the agent's server, where one started this hook; empty elsewhere.
// The environment of the hook is that of the server's start, whichever conversation the hook is about.
func ServerFolder(name string, outlives func(args []string) bool) (folder string) {
	if p, found := nearest(name); found && outlives != nil && outlives(p.args) {
		folder, _ = os.Readlink("/proc/" + strconv.Itoa(p.pid) + "/cwd")
	}
	return folder
}

// nearest returns the nearest ancestor that is the agent's.
func nearest(name string) (p program, found bool) {
	for p := range ancestors(maxAncestors) {
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
	for p := range ancestors(maxAncestors) {
		if p.pid == recorded.PID {
			return p.start == recorded.Start
		}
	}
	return false
}

// IsAncestor reports whether a process of this name, which started then, is above this one.
func IsAncestor(pid int, start, name string) bool {
	for p := range ancestors(anyAncestors) {
		if p.pid == pid {
			return p.start == start && p.name == name
		}
	}
	return false
}

// ancestors yields the processes that started this one, the nearest first, without their command lines. The first one is read like the
// others: to a process in a namespace of its own, the system does not tell its parent, but /proc does where it is that of the machine.
func ancestors(most int) iter.Seq[program] {
	return func(yield func(program) bool) {
		pid := os.Getppid()
		if self, err := os.Readlink("/proc/self"); err == nil {
			if id, err := strconv.Atoi(self); err == nil && id != os.Getpid() {
				here, _ := stat(id)
				pid = here.parent
			}
		}
		for range most {
			p, ok := stat(pid)
			if !ok || pid <= 1 || !yield(p) {
				return
			}
			pid = p.parent
		}
	}
}

// SignsAbove yields, for each process above this one in whose environment one of the variables is set, the nearest first, the name of that
// variable, and the environment as lines NAME=VALUE. A process can clear its own environment, but not that of the one which started it. One
// whose parent has ended is adopted by the process that started all of them, which has no such variable: named has the variable that such
// a process sets for others, by the name that Rename has given it. The environment is nil if it cannot be read.
func SignsAbove(named map[string]string, names ...string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for p := range ancestors(anyAncestors) {
			var environment []string
			if data, err := readFile("/proc/" + strconv.Itoa(p.pid) + "/environ"); err == nil { // else of another user
				environment = strings.Split(string(data), "\x00")
			}
			sign := named[p.name]
			if at := slices.IndexFunc(names, func(name string) bool {
				return slices.ContainsFunc(environment, func(e string) bool { return strings.HasPrefix(e, name+"=") && len(e) > len(name)+1 })
			}); sign == "" && at >= 0 {
				sign = names[at]
			}
			if sign != "" && !yield(sign, environment) {
				return
			}
		}
	}
}

// Rename gives this process another name, of at most 15 bytes, in the list of processes.
func Rename(name string) {
	// The process has the name of its first thread, which the others may write.
	self := strconv.Itoa(os.Getpid())
	_ = os.WriteFile("/proc/self/task/"+self+"/comm", []byte(name), 0)
}

// Name returns the name of this process in the list of processes.
func Name() string {
	p, _ := stat(os.Getpid())
	return p.name
}

// place returns the machine, its start and the namespace of this process: only within those can ids be compared.
func place() session.Process {
	host, _ := os.Hostname()
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return session.Process{Host: host, Boot: BootID(), Namespace: namespace}
}

// Self returns this process; nil on a system where a later process with the same id cannot be distinguished.
func Self() *session.Process { return Lookup(os.Getpid()) }

// Lookup returns a process of this machine; nil if it is gone.
func Lookup(pid int) *session.Process {
	here := place()
	start, ok := StartTime(pid)
	if !ok || here.Boot == "" {
		return nil
	}
	here.PID, here.Start = pid, start
	return &here
}
