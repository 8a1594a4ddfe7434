package native

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"onward/internal/object"
)

// CommandLine returns the line of a call of a tool that runs one, without the shell that it is started with.
func CommandLine(known Registry, tool string, input object.Value) (line string, shell bool) {
	is := func(name string) bool { return object.SameName(name, tool) }
	for t := range known {
		shell = shell || slices.ContainsFunc(t.Shells, is)
	}
	if !shell {
		return "", false
	}
	said := input.Object().Get("command", "cmd")
	line = said.Text()
	for _, one := range input.Object().Get("commands").List() {
		line += one.Text() + "\n" // one after the other
	}
	if words := said.List(); len(words) == 3 && strings.HasPrefix(words[1].Text(), "-") {
		line = words[2].Text() // sh -c LINE
	}
	return inShell(line), true
}

// RunsOn reports whether a line starts a command in the background, with a single &, and does not wait for it. A & may also be within quotes,
// in a text for standard input, or a part of a redirection.
func RunsOn(line string) bool {
	line, _, _ = strings.Cut(line, "<<")
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c != '&':
		case strings.HasPrefix(line[i:], "&&") || strings.HasPrefix(line[i:], "&>"):
			i++
		case i > 0 && !strings.ContainsRune("<>", rune(line[i-1])) && (i+1 == len(line) || strings.ContainsRune(" \t\n;)", rune(line[i+1]))):
			return !slices.Contains(strings.FieldsFunc(line[i:], func(r rune) bool { return unicode.IsSpace(r) || r == ';' || r == '&' || r == ')' }), "wait")
		}
	}
	return false
}

// IsWait reports whether a call lets time pass, or looks after what takes its time elsewhere, such as a build, a training or a
// job of CI: it is no loop to make such a call again and again.
func IsWait(known Registry, tool string, input object.Value) bool {
	if OnlyReads(known, tool, input) && namesLog(string(input)) {
		return true
	}
	line, shell := CommandLine(known, tool, input)
	if shell {
		return lineWaits(line)
	}
	if name := strings.ToLower(strings.ReplaceAll(tool, "_", " ")); hasWord(name, waiting[:]) || hasWord(name, []string{"status"}) {
		return true
	}
	for t := range known {
		if slices.ContainsFunc(t.Waits, func(name string) bool { return object.SameName(name, tool) }) {
			return true
		}
	}
	return false
}

// waiting are the words that say that a command waits.
var waiting = [...]string{"sleep", "wait", "watch", "poll", "await"}

func hasWord(text string, of []string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
}

// namesLog reports whether a text names a file that has the usual ending of a log or of a program's output. Agents' programs keep the output
// of background commands in such files, and their models read them.
func namesLog(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`;|<>(){},", r) })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains([]string{".log", ".out", ".output", ".err"}, path.Ext(w)) })
}

// lineWaits reports whether a command of a line waits, or asks about a process, a log, a service or another machine.
func lineWaits(line string) bool {
	if hasWord(line, waiting[:]) {
		return true
	}
	for command := range strings.Lines(eachOnALine(line)) {
		words := strings.Fields(command)
		for len(words) > 0 && (strings.Contains(words[0], "=") || words[0] == "sudo" || words[0] == "env") {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		switch path.Base(words[0]) {
		case "tail", "ps", "pgrep", "jobs", "top", "lsof", "ss", "netstat", "nvidia-smi", "squeue", "sacct", "qstat", "systemctl", "journalctl", "tmux", "date",
			"docker", "podman", "kubectl", "oc", "helm", "argo", "gh", "glab", "circleci", "bk", "buildkite-agent",
			"aws", "gcloud", "az", "heroku", "vercel", "netlify", "fly", "flyctl", "terraform", "pulumi",
			"curl", "wget", "ping", "nc", "ssh", "pg_isready", "redis-cli":
			return true
		case "git":
			if len(words) > 1 && (words[1] == "fetch" || words[1] == "ls-remote") {
				return true
			}
		}
	}
	return false
}
