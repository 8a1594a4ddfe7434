package shell

import (
	"path"
	"slices"
	"strings"
)

// way is how a program finds the commands that it starts.
type way int

const (
	startsNone   way = iota
	startsWords      // somewhere among its arguments, word by word, as sudo
	startsInside     // the same behind run or exec, as docker
	startsExec       // after -exec and its like, as find
	startsInput      // among its arguments, with more words from its input, as xargs
	startsJoined     // its arguments, joined and read as a command, as eval
	startsScript     // the argument after -c, read as a command, as sh
)

// wayOf reports how a program finds the commands that it starts. Rules see through the programs
// that are made to run other commands, and through no others.
func wayOf(program Word) way {
	if !program.Known {
		return startsNone
	}
	switch path.Base(program.Text) {
	case "-", // of zsh
		"sudo", "doas", "pkexec", "env", "command", "builtin", "exec", "nohup", "nice", "ionice", "chrt", "taskset", "time", "timeout",
		"setsid", "setpriv", "setarch", "stdbuf", "unbuffer", "busybox", "toybox", "chroot", "unshare", "nsenter", "strace", "ltrace", "valgrind",
		"systemd-run", "systemd-inhibit", "run0", "sudo-rs", "gosu", "su-exec", "tini", "dumb-init", "prlimit", "numactl", "runcon", "choom", "rlwrap",
		"xvfb-run", "dbus-run-session", "torsocks", "proxychains", "proxychains4", "faketime", "proot", "linux32", "linux64", "i386", "x86_64",
		"genv", "gnice", "gnohup", "gstdbuf", "gtimeout", "fakeroot", "bwrap", "firejail", "caffeinate", "coproc", "noglob", "nocorrect":
		return startsWords
	case "docker", "podman", "nerdctl", "kubectl":
		return startsInside
	case "find", "gfind", "fd", "fdfind":
		return startsExec
	case "xargs", "gxargs":
		return startsInput
	case "eval", "ssh", "watch", "parallel", "trap", "alias", "hyperfine", "entr":
		return startsJoined
	case "sh", "bash", "dash", "zsh", "ash", "ksh", "mksh", "rbash", "oksh", "posh", "yash", "fish", "csh", "tcsh", "su", "runuser", "script", "flock", "sg":
		return startsScript
	}
	return startsNone
}

// RunsOthers reports a command of a program that is made to run other commands.
func (p *Part) RunsOthers() bool {
	kind := wayOf(p.Words[0])
	return kind != startsNone && kind != startsInside || len(p.Runs) > 0 || p.Hidden
}

// started returns the commands that a command starts itself, as far as they can be seen,
// and whether there may be others.
func (r *reader) started(call []Word) (runs []Part, hidden bool) {
	if len(call) == 0 {
		return nil, false
	}
	kind := wayOf(call[0])
	if kind == startsNone {
		return r.strings(call)
	}
	first, last := 1, len(call)
	if kind == startsInside {
		first += slices.IndexFunc(call, func(w Word) bool { return w.Text == "run" || w.Text == "exec" })
		if first == 0 {
			return nil, false
		}
	}
	if kind == startsInput {
		call = withInput(call)
	}
	runs, hidden = r.strings(call)
	for i := first; i < last; i++ {
		if !r.may(1) {
			return runs, true
		}
		if kind == startsExec && call[i-1].Known && !executes(call[i-1].Text) {
			continue
		}
		p := Part{Words: call[i:]}
		p.Runs, p.Hidden = r.strings(call[i:])
		runs = append(runs, p)
	}
	return runs, hidden
}

// strings reads the commands that a program gets as strings.
func (r *reader) strings(call []Word) (runs []Part, hidden bool) {
	args := call[1:]
	switch wayOf(call[0]) {
	case startsNone:
		return nil, call[0].Known && bringsCode(call)
	case startsInput:
		if n := len(args); n > 0 && args[n-1] == (Word{Several: true}) {
			args = args[:n-1] // those of its input are arguments of what it starts
		}
	case startsScript:
		runs, hidden = r.script(args)
	case startsJoined:
		runs, hidden = r.joined(call)
	}
	return runs, hidden || slices.ContainsFunc(args, func(w Word) bool {
		return w.Several || path.Base(call[0].Text) == "env" && strings.HasPrefix(w.Text, "-") && strings.ContainsAny(w.Text, "Ss")
	})
}

// script reads the arguments of a shell: what follows -c is a command. Without it, and without the file of a script,
// the commands come from its input.
func (r *reader) script(args []Word) (runs []Part, hidden bool) {
	command, operand := false, false
	for _, w := range args {
		option := w.Known && len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+')
		switch {
		case option:
			long := strings.HasPrefix(w.Text, "--")
			command = command || !long && strings.Contains(w.Text, "c") || strings.HasPrefix(w.Text, "--c")
			hidden = hidden || !long && strings.ContainsAny(w.Text, "soO") || strings.HasPrefix(w.Text, "--c") && strings.Contains(w.Text, "=")
		case operand && !command:
		case !w.Known:
			hidden, operand = hidden || !operand, true
		case command:
			// The first is the command, or an argument of an option; the rest may be run by it.
			more, unseen := r.nested(w.Text)
			runs, hidden, operand = append(runs, more...), hidden || unseen && !operand, true
		default:
			hidden = hidden || w.Text == "-" || strings.HasPrefix(w.Text, "/dev/") || strings.HasPrefix(w.Text, "/proc/")
			operand = true
		}
	}
	return runs, hidden || !operand
}

// joined reads the arguments of a program that makes one command of them. Where the command begins
// is not the same for all such programs, so it is looked for from each word on.
func (r *reader) joined(call []Word) (runs []Part, hidden bool) {
	program, args := path.Base(call[0].Text), call[1:]
	if program == "parallel" {
		return nil, true // it reads commands from its input
	}
	for i, w := range args {
		if !r.may(1) {
			return runs, true
		}
		texts := []string{w.Text} // trap reads one word as a command
		if _, value, found := strings.Cut(w.Text, "="); found && program == "alias" {
			texts = append(texts, value)
		}
		var all []string
		for _, w := range args[i:] {
			all = append(all, w.Text)
			hidden = hidden || !w.Known
		}
		for _, text := range append(texts, strings.Join(all, " ")) {
			more, unseen := r.nested(text)
			runs, hidden = append(runs, more...), hidden || unseen
		}
	}
	return runs, hidden
}

// nested reads a command that is in a string.
func (r *reader) nested(text string) (runs []Part, hidden bool) {
	if !r.may(1 + len(text)/64) {
		return nil, true
	}
	c := r.read(text)
	return c.Parts, c.Unreadable != ""
}

// may reports whether there is still work left to be spent on commands inside of commands.
func (r *reader) may(cost int) bool {
	r.budget -= cost
	return r.budget >= 0
}

// withInput returns a call of xargs with the words that come from its input. They are at the end,
// or wherever its mark is replaced by them.
func withInput(call []Word) []Word {
	mark := "{}"
	var out []Word
	for i, w := range call {
		if text, found := strings.CutPrefix(w.Text, "-I"); found && w.Known {
			if text == "" && i+1 < len(call) {
				text = call[i+1].Text
			}
			mark = text
		}
		if before, _, found := strings.Cut(w.Text, mark); found && mark != "" {
			w = Word{Text: before}
		}
		out = append(out, w)
	}
	return append(out, Word{Several: true})
}

// executes reports the options of find and fd that a command follows.
func executes(option string) bool {
	switch option {
	case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
		return true
	}
	return false
}
