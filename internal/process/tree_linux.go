package process

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// AdoptOrphans makes this process the parent of every descendant whose own parent ends, so that none is lost, until the
// function that it returns is called.
func AdoptOrphans() (release func()) {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	return func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) }
}

// Children returns the ids of the processes that this one has started or adopted.
func Children() (ids []int) {
	for _, p := range all() {
		if p.parent == os.Getpid() {
			ids = append(ids, p.pid)
		}
	}
	return ids
}

// KillDescendantsExcept sends a signal to every process below this one, but for the given children and what is below them.
// Those that have ended and were adopted are released. It reports whether one still runs.
func KillDescendantsExcept(spared []int, signal syscall.Signal) (remain bool) {
	found := all()
	var ours []int
	for _, p := range below(found, []int{os.Getpid()}, spared) {
		if !p.ended {
			ours = append(ours, p.pid)
		} else if p.parent == os.Getpid() {
			_, _ = unix.Wait4(p.pid, nil, unix.WNOHANG, nil)
		}
	}
	for _, pid := range ours {
		_ = unix.Kill(pid, signal)
	}
	return len(ours) > 0
}

// InputOf names the standard input of a process, such as one pipe among all; empty if it is not known.
func InputOf(pid int) string {
	name, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/fd/0")
	return name
}

// WorksBelow reports whether a process below this one works on, but for the given children and what is below them. One that reads a pipe
// or a socket other than the given input does not: it is a server of the program at the other end, which may have ended.
func WorksBelow(spared []int, own string) bool {
	for _, p := range below(all(), []int{os.Getpid()}, spared) {
		input := InputOf(p.pid)
		served := input != own && (strings.HasPrefix(input, "pipe:") || strings.HasPrefix(input, "socket:"))
		if !p.ended && input != "" && !served {
			return true
		}
	}
	return false
}

// CanFindMarked reports that KillMarked can find processes here.
const CanFindMarked = true

// KillMarked kills every process in whose environment a variable has a value, with its descendants.
// It reports whether there was one.
func KillMarked(name, value string) (found bool) {
	entry := []byte(name + "=" + value)
	running := all()
	var marked []int
	for _, p := range running {
		if p.ended {
			continue
		}
		environment, err := readFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
		if err == nil && slices.ContainsFunc(bytes.Split(environment, []byte{0}), func(e []byte) bool { return bytes.Equal(e, entry) }) {
			marked = append(marked, p.pid)
		}
	}
	for _, p := range below(running, marked, nil) {
		_ = unix.Kill(p.pid, unix.SIGKILL)
	}
	for _, pid := range marked {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
	return len(marked) > 0
}

// all returns all processes.
func all() (found []program) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if p, ok := stat(pid); ok {
				found = append(found, p)
			}
		}
	}
	return found
}

// below returns the processes among those found that descend from one of the roots, but none that is spared or below one.
func below(found []program, roots, spared []int) (out []program) {
	for len(roots) > 0 {
		var next []int
		for _, p := range found {
			if slices.Contains(roots, p.parent) && !slices.Contains(spared, p.pid) {
				out = append(out, p)
				next = append(next, p.pid)
			}
		}
		roots = next
	}
	return out
}

// shells are the programs by which agents run the command line of a hook.
var shells = [...]string{"sh", "bash", "dash", "zsh", "ksh", "busybox", "fish"}

// ParentGone returns a function that reports whether the program that started this process has ended: its parent, and the
// parent of that if it is a shell.
func ParentGone() (gone func() bool) {
	var chain []program
	for p := range ancestors(maxAncestors) {
		chain = append(chain, p)
		if !slices.Contains(shells[:], p.name) {
			break
		}
	}
	return func() bool {
		return slices.ContainsFunc(chain, func(p program) bool {
			start, there := StartTime(p.pid)
			return !there || start != p.start
		})
	}
}
