package native

import "onward/internal/todo"

// By returns todo.ByUser where a command is the user's, and nothing where an agent runs it: the user types it,
// or there is no sign of an agent or a conversation. A sub-agent's list is never the user's.
func By(main, typed bool, conversation string, lookup func(string) (string, bool)) string {
	if main && (typed || conversation == "" && Agent(lookup) == "") {
		return todo.ByUser
	}
	return ""
}

// Agent names the agent that runs this process, by the environment variables of the commands that it runs;
// empty if there is no sign of one.
func Agent(lookup func(string) (string, bool)) string {
	_, agent := marked(lookup)
	return agent
}

// Marker names the variable that shows that an agent runs this process; empty if none does.
func Marker(lookup func(string) (string, bool)) string {
	variable, _ := marked(lookup)
	return variable
}

func marked(lookup func(string) (string, bool)) (variable, agent string) {
	for _, m := range markers {
		if v, ok := lookup(m.variable); ok && v != "" && v != "0" && v != "false" {
			return m.variable, m.agent
		}
	}
	return "", ""
}

// markers are the variables that agents set in the shells that they start.
var markers = [...]struct{ variable, agent string }{
	{"CLAUDECODE", "claude"},
	{"CODEX_THREAD_ID", "codex"},
	{"CODEX_SANDBOX", "codex"},
	{"CODEX_SANDBOX_NETWORK_DISABLED", "codex"},
	{"CODEX_CI", "codex"},
	{"LLXPRT_CODE", "llxprt"},
	{"QWEN_CODE", "qwen"},
	{"GEMINI_CLI", "gemini"},
	{"OPENCODE", "opencode"},
	{"CURSOR_AGENT", "cursor"},
	{"COPILOT_CLI", "copilot"},
	{"KIMI_CLI", "kimi"},
	{"AI_AGENT", "agent"},
	{"AGENT", "agent"}, // opencode, Goose and Amp name themselves in it
}

// Markers returns the variables by which a shell of an agent is known.
func Markers() []string {
	out := make([]string, len(markers))
	for i, m := range markers {
		out[i] = m.variable
	}
	return out
}
