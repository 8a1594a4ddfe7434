package suggest

import (
	"slices"
	"strconv"
	"strings"
)

// Commands returns the commands that people look for under another path, such as `ls` or `session rename`; nil if none is known.
func Commands(path string) []string { return known(otherCommands, path) }

// Flags returns what may stand for a flag of another program, the most likely first: a flag, with its value if that is always
// the same; a word, which is an argument; or Value, if the flag's own value is an argument. A command takes only some of them.
func Flags(name string) []string { return known(otherFlags, name) }

// Values returns what may stand for a value of a few: those that mean the same, else those that are close to it.
func Values(word string, few []string) []string {
	for _, m := range otherValues {
		if at := slices.IndexFunc(m.known, func(value string) bool { return slices.Contains(few, value) }); at >= 0 && slices.Contains(m.words, strings.ToLower(word)) {
			return m.known[at : at+1]
		}
	}
	return Names(word, few)
}

// Position returns the position in a list that a word stands for; empty if it is none.
func Position(word string) string {
	for i, words := range [][]string{{"first", "one", "top"}, {"second", "two"}, {"third", "three"}} {
		if slices.Contains(words, strings.ToLower(word)) {
			return strconv.Itoa(i + 1)
		}
	}
	if slices.Contains([]string{"end", "bottom", "latest", "newest"}, strings.ToLower(word)) {
		return "last"
	}
	return ""
}

// Value stands for the value of a flag, as an argument of its own.
const Value = "."

// meaning is the words that are known, for words that are not.
type meaning struct{ words, known []string }

func known(meanings []meaning, word string) []string {
	for _, m := range meanings {
		if slices.Contains(m.words, word) {
			return m.known
		}
	}
	return nil
}

var otherCommands = []meaning{
	{[]string{"ls", "list", "show", "todo ls"}, []string{"todo show"}},
	{[]string{"check"}, []string{"check-continue"}},
	{[]string{"status"}, []string{"todo show", "session list"}},
	{[]string{"init"}, []string{"todo add", "hooks install"}},
	{[]string{"install"}, []string{"hooks install"}},
	{[]string{"gate"}, []string{"set gate", "todo assert --gate"}},
	{[]string{"gate run", "gate check", "gate test", "gate verify", "check gate", "test gate", "run gate"}, []string{"todo assert --gate"}},
	{[]string{"gate set", "gate add", "gate use"}, []string{"set gate"}},
	{[]string{"gate show", "gate get", "gate list", "gate status"}, []string{"get gate"}},
	{[]string{"gate remove", "gate rm", "gate delete", "gate off", "gate clear", "gate unset"}, []string{"unset gate"}},
	{[]string{"claim", "queue"}, []string{"todo next --claim"}},
	{[]string{"config", "settings"}, []string{"get", "set"}},
	{[]string{"log", "logs"}, []string{"todo history", "report"}},
	{[]string{"sessions"}, []string{"session list"}},
	{[]string{"send", "tell", "ask", "say"}, []string{"message push"}},
	{[]string{"answer", "respond"}, []string{"reply"}},
	{[]string{"abort", "kill", "halt", "interrupt"}, []string{"stop --now"}},
	{[]string{"quit", "exit", "end"}, []string{"stop"}},
	{[]string{"chat", "push"}, []string{"message push"}},
	{[]string{"tail", "follow", "ps", "top"}, []string{"watch"}},
	{[]string{"cost", "usage", "spent", "tokens", "summary"}, []string{"report"}},
	{[]string{"continue", "go", "keep-going"}, []string{"run", "check-continue"}},
	{[]string{"launch", "work"}, []string{"run"}},
	{[]string{"prove", "verify"}, []string{"proof show"}},
	{[]string{"messages", "msg"}, []string{"message list", "message push"}},
	{[]string{"uninstall"}, []string{"hooks uninstall"}},
	{[]string{"fix"}, []string{"repair", "doctor"}},
	{[]string{"worker", "workers"}, []string{"todo next --claim", "run --item"}},
	{[]string{"state", "info"}, []string{"todo show", "session list"}},
	{[]string{"setup"}, []string{"hooks install", "doctor"}},
	{[]string{"todo unblock"}, []string{"todo reopen", "todo start"}},
	{[]string{"session new", "session create", "session add"}, []string{"session use"}},
	{[]string{"todo subtask", "todo sub", "todo child", "todo step", "todo split"}, []string{"todo add 1.last 'the step'"}},
	{[]string{"todo note", "todo comment", "todo annotate", "todo tag", "todo label", "todo due"}, []string{"todo edit --help"}},
	{[]string{"todo find", "todo search", "todo grep", "todo filter", "todo view", "todo print", "todo cat", "cat", "view"}, []string{"todo show"}},
	{[]string{"todo skip", "todo wontfix"}, []string{"todo cancel"}},
	{[]string{"todo wip", "todo doing"}, []string{"todo start"}},
	{[]string{"todo fail", "todo hold", "todo wait"}, []string{"todo block"}},
	{[]string{"todo up", "todo down", "todo top", "todo bottom", "todo raise", "todo lower"}, []string{"todo move"}},
	{[]string{"hooks check", "hooks verify", "hooks test"}, []string{"hooks status"}},
	{[]string{"backup", "sync", "store backup"}, []string{"store copy"}},
	{[]string{"restore"}, []string{"todo undo", "repair"}},
	{[]string{"todo mv", "todo reorder", "todo order", "todo sort", "todo swap"}, []string{"todo move"}},
	{[]string{"todo claim", "todo pick", "todo take"}, []string{"todo next --claim"}},
	{[]string{"todo unclaim", "todo unassign", "todo give"}, []string{"todo release"}},
	{[]string{"todo toggle"}, []string{"todo done", "todo reopen"}},
	{[]string{"pull", "stash", "fetch", "clone", "rebase"}, []string{}}, // nothing, rather than a command of a similar name
	{[]string{"todo redo", "redo"}, []string{"todo undo"}},
	{[]string{"todo count", "todo status", "todo ps", "plan"}, []string{"todo show"}},
	{[]string{"todo purge", "todo empty", "todo wipe", "todo archive"}, []string{"todo clear"}},
	{[]string{"todo depends", "todo depend", "todo after", "todo dep", "todo link"}, []string{"todo edit 2 --after '1'"}},
	{[]string{"todo pri", "todo prio", "todo priority", "todo prioritize", "todo prioritise"}, []string{"todo edit 1 --priority 'high'"}},
	{[]string{"session name", "session switch", "switch", "checkout"}, []string{"session use"}},
	{[]string{"branch", "branches", "projects"}, []string{"session list"}},
	{[]string{"diff", "changes"}, []string{"todo history"}},
	{[]string{"sleep", "hold"}, []string{"pause"}},
	{[]string{"schedule rm", "schedule delete", "schedule remove", "schedule abort", "schedule kill"}, []string{"schedule cancel"}},
	{[]string{"store move", "store mv", "store transfer"}, []string{"store copy --move"}},
	{[]string{"session kill", "session abort", "session interrupt", "session end"}, []string{"stop --now"}},
	{[]string{"session rename"}, []string{"session use", "todo load"}},
	{[]string{"session watch"}, []string{"watch"}},
	{[]string{"session report"}, []string{"report"}},
	{[]string{"session history", "session log"}, []string{"todo history"}},
	{[]string{"session restore", "session repair"}, []string{"repair"}},
	{[]string{"session copy", "session move"}, []string{"store copy"}},
	{[]string{"session clear", "session archive"}, []string{"todo clear"}},
	{[]string{"proof verify", "proof check", "proof run"}, []string{"proof replay"}},
	{[]string{"todos", "task", "tasks", "item", "items"}, []string{"todo"}},
	{[]string{"message clear", "message empty"}, []string{"message drop all"}},
	{[]string{"retry", "again", "restart"}, []string{"run"}},
	{[]string{"test"}, []string{"todo assert --gate"}},
	{[]string{"man", "manual"}, []string{"help"}},
	{[]string{"run last", "run again", "run continue", "run resume"}, []string{"run"}},
	{[]string{"notify", "notification", "notifications"}, []string{"run --help"}},
	{[]string{"progress", "last"}, []string{"todo show", "report"}},
	{[]string{"session current", "session status"}, []string{"session show"}},
	{[]string{"store path", "store show"}, []string{"store info"}},
	{[]string{"unpause", "unstop"}, []string{"resume"}},
	{[]string{"todo reset", "reset"}, []string{"todo reopen", "todo clear"}},
	{[]string{"dashboard", "ui", "tui", "monitor"}, []string{"watch --all"}},
}

var otherValues = []meaning{
	{[]string{"urgent", "critical", "highest", "important", "asap", "blocker", "major", "p0", "p1", "1"}, []string{"high"}},
	{[]string{"normal", "default", "p2", "2"}, []string{"medium"}},
	{[]string{"minor", "lowest", "trivial", "p3", "p4", "3"}, []string{"low"}},
	{[]string{"finished", "complete", "done", "closed", "resolved", "success", "ok"}, []string{"completed", "done", "success"}},
	{[]string{"error", "failure", "crashed"}, []string{"failed"}},
	{[]string{"open", "todo", "new", "waiting"}, []string{"pending"}},
	{[]string{"doing", "started", "active", "wip", "running"}, []string{"in_progress"}},
	{[]string{"skipped", "dropped", "deleted", "wontfix"}, []string{"cancelled"}},
	{[]string{"stuck"}, []string{"blocked"}},
	{[]string{"failed", "failure", "crashed"}, []string{"error"}},
	{[]string{"waiting", "pending", "asking"}, []string{"awaiting_approval"}},
	{[]string{"pdf", "web", "htm"}, []string{"html", "markdown"}},
	{[]string{"xml", "yaml", "yml", "jsonl"}, []string{"json"}},
	{[]string{"text", "txt", "raw"}, []string{"plain", "markdown"}},
	{[]string{"tsv", "xlsx", "excel"}, []string{"csv"}},
	{[]string{"tcsh", "sh", "ksh", "dash"}, []string{"bash"}},
	{[]string{"pwsh", "cmd", "ps1"}, []string{"powershell"}},
}

var otherFlags = []meaning{
	{[]string{"--worker", "--by", "--owner", "--who", "--user", "--assign"}, []string{"--as", "--scope user"}},
	{[]string{"--budget", "--max-cost", "--cost", "--max-budget-usd", "--usd"}, []string{"--max-usd"}},
	{[]string{"--tokens", "--token-limit"}, []string{"--max-tokens"}},
	{[]string{"--timeout", "--max-time", "--time", "--duration", "--deadline", "--hours", "--max-hours", "--until", "--for"}, []string{"--max-duration", "--max-wait"}},
	{[]string{"--max-turns", "--turns", "--max-iterations", "--iterations"}, []string{"--max-total"}},
	{[]string{"--retries", "--max-retries", "--attempts"}, []string{"--max-attempts"}},
	{[]string{"--test", "--check", "--verify", "--gate-cmd", "--gate-command", "-g"}, []string{"--gate"}},
	{[]string{"--prompt", "--task", "--text", "--title", "--content", "--description", "-t"}, []string{Value}},
	{[]string{"-p"}, []string{"--priority", Value}},
	{[]string{"--reason", "--because", "--why", "--message", "-m"}, []string{"--reason", Value}},
	{[]string{"--force"}, []string{"--force", "--new", "--now", "--yes"}},
	{[]string{"-f"}, []string{"--file", "--format", "--output", "--force", "--now", "--yes"}},
	{[]string{"--kill", "--immediately", "--hard"}, []string{"--now"}},
	{[]string{"--agent-id", "--agent-name"}, []string{"--agent"}},
	{[]string{"--parent", "--under", "--detach", "--background", "--cwd"}, []string{}}, // nothing, rather than a flag of a similar name
	{[]string{"--global"}, []string{"--scope user"}},
	{[]string{"--shared", "--team"}, []string{"--scope shared"}},
	{[]string{"--project", "--local", "--personal"}, []string{"--scope project"}},
	{[]string{"--format", "--output-format"}, []string{"--json"}},
	{[]string{"--needs-you", "--needs_you"}, []string{"--state needs_you"}},
	{[]string{"--no-gate"}, []string{"--gate none"}},
	{[]string{"--html", "--pdf"}, []string{"--format html"}},
	{[]string{"--markdown", "--md"}, []string{"--format markdown"}},
	{[]string{"--csv"}, []string{"--format csv"}},
	{[]string{"--plain"}, []string{"--format plain"}},
	{[]string{"--out", "--outfile", "--to"}, []string{"--output"}},
	{[]string{"--all", "-a"}, []string{"--all", "--limit 0", "all"}},
	{[]string{"--done", "--completed"}, []string{"--status completed"}},
	{[]string{"--pending", "--todo"}, []string{"--status pending"}},
	{[]string{"--blocked"}, []string{"--status blocked"}},
	{[]string{"--in-progress", "--active"}, []string{"--status in_progress"}},
	{[]string{"--open"}, []string{"--status open", "--state open"}},
	{[]string{"--running", "--working"}, []string{"--state working"}},
	{[]string{"--failed"}, []string{"--state failed", "--status failed"}},
	{[]string{"--task-file", "--prompt-file", "--input-file"}, []string{"--file"}},
	{[]string{"--fix"}, []string{"--yes"}},
	{[]string{"--depends-on", "--depends", "--blocked-by", "--requires", "--needs"}, []string{"--after"}},
	{[]string{"--status"}, []string{"--state"}},
	{[]string{"--state"}, []string{"--status"}},
	{[]string{"--last", "--count", "-n"}, []string{"--limit", Value}},
	{[]string{"-1"}, []string{"last"}},
	{[]string{"--search", "--grep", "--filter"}, []string{"--match"}},
	{[]string{"--position", "--pos", "--index"}, []string{"--at", Value}},
	{[]string{"--wait-for", "--max-wait-time"}, []string{"--max-wait"}},
}
