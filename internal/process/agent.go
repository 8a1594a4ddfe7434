package process

import (
	"path/filepath"
	"slices"
	"strings"

	"onward/internal/session"
)

// KnownEnded reports whether a recorded process has certainly ended. That can only be known on its own machine,
// since the same start of that machine, and in the same namespace of process ids; anything else is unknown.
func KnownEnded(p *session.Process) bool {
	if p == nil || p.PID == 0 || p.Start == "" {
		return false
	}
	here := place()
	if here.Boot == "" || p.Host != here.Host || p.Boot != here.Boot || p.Namespace != here.Namespace {
		return false
	}
	start, ok := StartTime(p.PID)
	return !ok || start != p.Start
}

// IsAlive reports whether a recorded process is known to run on this machine.
func IsAlive(p *session.Process) bool { return p != nil && Lookup(p.PID).Is(p) }

// program is a process as the kernel describes it.
type program struct {
	pid, parent int
	start       string   // when it started, in ticks since the machine did
	ended       bool     // it is a zombie: its parent has not waited for it yet
	name        string   // of its executable, cut to what the kernel keeps of it
	args        []string // its command line
}

// is reports whether a program is an agent's own: by its name, or by the script that an interpreter runs.
// onward itself may have the agent's name among its arguments.
func (p program) is(agent string) bool {
	if len(p.args) == 0 || strings.Contains(filepath.Base(p.args[0]), "onward") {
		return false
	}
	if isOf(p.name, agent) || isOf(filepath.Base(p.args[0]), agent) {
		return true
	}
	switch filepath.Base(p.args[0]) {
	case "node", "bun", "deno", "python", "python3":
	default:
		return false
	}
	i := slices.IndexFunc(p.args[1:], func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if i < 0 {
		return false
	}
	script := p.args[1+i]
	_, module, _ := strings.Cut(script, "/node_modules/")
	return isOf(filepath.Base(script), agent) || slices.ContainsFunc(strings.Split(module, "/"), func(folder string) bool { return isOf(folder, agent) })
}

// isOf reports whether the name of a program or package begins with an agent's. A name of two letters begins many,
// so a sign must follow.
func isOf(name, agent string) bool {
	rest, begins := strings.CutPrefix(name, agent)
	return begins && (len(agent) > 2 || rest == "" || strings.ContainsAny(rest[:1], "-."))
}
