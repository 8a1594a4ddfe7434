package native

import (
	"slices"
	"strings"

	"onward/internal/object"
)

// readers are the agents' own tools that only look, ask or think.
var readers = [...]string{
	"Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "NotebookRead", "BashOutput", "TaskOutput", "ToolSearch",
	"ListMcpResources", "ListMcpResourcesTool", "ReadMcpResource", "ReadMcpResourceTool", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", // Claude Code
	"read_file", "read_many_files", "list_directory", "search_file_content", "grep_search", "google_web_search", "get_internal_docs", "ask_user", // Gemini CLI and its kin
	"view_image", "grep_files", "request_user_input", // Codex
	"list", "codesearch", "question", // opencode
	"list_dir", "codebase_search", "file_search", // Cursor
	"view", "report_intent", // GitHub Copilot CLI
	"SearchWeb", "FetchURL", "Think", // Kimi Code
	"semantic_search", "get_errors", "fetch_webpage", "get_changed_files", // VS Code
}

// shells are the agents' own tools that run a command line.
var shells = [...]string{
	"Bash", "Shell", "local_shell", "shell_command", "exec_command", "run_shell_command", "run_terminal_cmd", "run_in_terminal",
}

// OnlyReads reports whether a call of a tool that keeps no list leaves the project as it was, as far as that is plain:
// a tool for reading, or a command line of well-known commands. Everything else may have changed something.
func OnlyReads(tool string, input object.Value) bool {
	is := func(name string) bool { return object.SameName(name, tool) }
	if slices.ContainsFunc(readers[:], is) {
		return true
	}
	if !slices.ContainsFunc(shells[:], is) {
		return false
	}
	said := input.Object().Get("command", "cmd")
	line := said.Text()
	if words := said.List(); len(words) == 3 && strings.HasPrefix(words[1].Text(), "-") {
		line = words[2].Text() // sh -c LINE
	}
	return readsOnly(line)
}

// readsOnly reports whether every command of a line only reads.
func readsOnly(line string) bool {
	line = strings.NewReplacer("2>/dev/null", "", "2>&1", "", "&&", "\n", "||", "\n", "|", "\n", ";", "\n").Replace(line)
	if strings.ContainsAny(line, "`>&") || strings.Contains(line, "$(") {
		return false
	}
	commands := 0
	for command := range strings.Lines(line) {
		words := strings.Fields(command)
		if len(words) == 0 {
			continue
		}
		if !reads(words[0], words[1:]) {
			return false
		}
		commands++
	}
	return commands > 0
}

// reads reports whether a command only reads with these arguments.
func reads(command string, args []string) bool {
	switch command {
	case "cat", "cd", "cut", "diff", "du", "echo", "egrep", "fgrep", "file", "grep", "head", "jq", "ls", "nl", "printf", "pwd",
		"rg", "stat", "tail", "test", "tr", "tree", "true", "type", "wc", "which", "onward":
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
