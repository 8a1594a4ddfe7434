package native

import (
	"path"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/object"
)

// OnlyReads reports whether a call of a tool certainly leaves the project as it was: it is a tool for reading, or a command
// line of well-known commands that only read. Any other call may have changed something.
func OnlyReads(known Registry, tool string, input object.Value) bool {
	for t := range known {
		if slices.ContainsFunc(t.Readers, func(name string) bool { return object.SameName(name, tool) }) {
			return true
		}
	}
	if readsByName(tool) {
		return true
	}
	line, shell := CommandLine(known, tool, input)
	return shell && readsOnly(line)
}

// readingVerbs are first words of the names of a server's tools that only read, as in mcp__github__get_issue.
var readingVerbs = [...]string{"get", "list", "read", "search"}

// readsByName reports whether a tool of an MCP server says by its name that it only reads: mcp__SERVER__get_THING.
func readsByName(tool string) bool {
	server, found := strings.CutPrefix(tool, "mcp__")
	_, name, named := strings.Cut(server, "__")
	verb, _, _ := strings.Cut(name, "_")
	return found && named && !strings.Contains(name, "_or_") && !strings.Contains(name, "_and_") && slices.Contains(readingVerbs[:], verb)
}

// inShell returns the line that a shell is started with, as in /bin/bash -lc 'ls'; any other line is returned as it is.
func inShell(line string) string {
	program, _, _ := strings.Cut(line, " ")
	if !slices.Contains([]string{"sh", "bash", "zsh", "dash"}, path.Base(program)) {
		return line
	}
	words, err := shellquote.Split(line)
	if err != nil || len(words) != 3 || !strings.HasPrefix(words[1], "-") || !strings.HasSuffix(words[1], "c") {
		return line
	}
	return words[2]
}

// eachOnALine puts each command of a line on a line of its own, without what makes errors silent.
func eachOnALine(line string) string {
	if strings.ContainsAny(line, "&|;") { // the replacer is made here, since nothing may allocate before main
		line = strings.NewReplacer("2>/dev/null", "", "2>&1", "", "&&", "\n", "||", "\n", "|", "\n", ";", "\n").Replace(line)
	}
	return strings.ReplaceAll(line, "2>/dev/null", "")
}

// readsOnly reports whether every command of a line only reads.
func readsOnly(line string) bool {
	line = eachOnALine(line)
	if strings.ContainsAny(line, "`>&") || strings.Contains(line, "$(") {
		return false
	}
	commands := 0
	for command := range strings.Lines(line) {
		words := strings.Fields(command)
		if len(words) == 0 {
			continue
		}
		if !commandReads(words[0], words[1:]) {
			return false
		}
		commands++
	}
	return commands > 0
}

// commandReads reports whether a command only reads with these arguments.
func commandReads(command string, args []string) bool {
	switch command {
	case "cat", "cd", "cut", "diff", "du", "echo", "egrep", "fgrep", "file", "grep", "head", "jq", "ls", "nl", "printf", "pwd",
		"rg", "sleep", "stat", "tail", "test", "tr", "tree", "true", "type", "wc", "which", "onward":
		return true
	case "find":
		return !slices.ContainsFunc(args, func(a string) bool {
			return strings.HasPrefix(a, "-exec") || strings.HasPrefix(a, "-ok") || strings.HasPrefix(a, "-fprint") || strings.HasPrefix(a, "-fls") || a == "-delete"
		})
	case "sed":
		return len(args) > 1 && args[0] == "-n" && strings.Trim(args[1], "'\"0123456789,$p") == ""
	case "git":
		return len(args) > 0 && slices.Contains([]string{"status", "log", "diff", "show", "ls-files", "grep", "blame", "rev-parse", "describe"}, args[0])
	}
	return false
}
