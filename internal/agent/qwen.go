package agent

import (
	"cmp"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// Qwen Code's stream, `qwen -p --output-format stream-json`, has the lines of Claude Code, one message
// a line with all its blocks; its todo tool, its errors and the ends of its turns are its own.

var qwenLines = []lineType{
	{"system", unmarked},
	{"assistant", "session_id message parent_tool_use_id"},
	{"user", unmarked},
	{"result", unmarked},
	{"stream_event", unmarked},
	{"control_request", unmarked},
	{"control_response", unmarked},
	{"control_cancel_request", unmarked},
}

// detectQwen knows the first line of a session, and calls of the todo tool; the others look like
// Claude Code's, which is asked before.
func detectQwen(l *line) bool {
	switch string(l.typ) {
	case "assistant":
		return !l.has("sessionId") && l.callsTool(isQwenTool)
	case "system":
		return string(l.word("subtype")) == "init" && l.has("session_id") &&
			(l.has("qwen_code_version") || l.has("permission_mode") && !l.has("claude_code_version"))
	}
	return false
}

// qwenTool writes the whole list.
const qwenTool = "todo_write"

func isQwenTool(name word) bool { return string(name) == qwenTool }

// applyQwenResult applies a call whose result has come. A call that a hook of the user refused, or
// that could not be written, is not an error to Qwen Code; only the text shows it. The text of an
// accepted one holds the list as it was stored.
func (s *stream) applyQwenResult(call todoCall, failed bool, text string, at todo.Time) {
	if failed || native.IsRefusal(text) {
		// The tools of init come first: a call is validated before a missing tool is detected,
		// and a sub-agent may lack the tool where the main agent has it.
		missing := s.sum.TodoTool == TodoToolOff ||
			failed && call.sub == "" && isQwenMissing(text)
		s.rejected(call, text, missing)
		return
	}
	list := native.ListSaid(text)
	if list == nil {
		list = native.ListIn(call.input)
	}
	s.accept(call, list, at)
}

// isQwenMissing reports whether a call was refused because the tool is missing or not allowed.
func isQwenMissing(text string) bool {
	return strings.Contains(text, "not found in registry") || strings.Contains(text, "disabled by default") || strings.Contains(text, "deny rule")
}

// qwenResult ends the turn. A sub-agent that fails prints a result too, which does not name it:
// it is recognised by its duration, which no real turn with a sub-agent has.
// A failure of the API is a success to Qwen Code: only the message in brackets shows it.
func (s *claudeSession) qwenResult(l *claudeLine, t *turn) {
	failed := l.fails()
	if failed && t.sub && string(l.word("duration_ms")) == "0" {
		return
	}
	says := string(l.text("result"))
	status := continuation.Done
	if failed || strings.HasPrefix(says, qwenError) || strings.Contains(says, "\n"+qwenError) {
		status = continuation.Failed
		kind := string(l.word("error", "type"))
		text := cmp.Or(l.member("error").message(), says)
		if strings.HasPrefix(text, "Operation cancelled") || kind == "FatalCancellationError" {
			status = continuation.Aborted
		}
		t.failure = failureOf(kind+" "+l.subtype(), text, nil)
	} else {
		t.recordMessage([]byte(says))
	}
	s.total(l, t)
	s.close(status, l.at())
}

// qwenError begins the message that represents a failure of the API.
const qwenError = "[API Error: "

// becomesQwen makes a session Qwen Code's, unless something proved that it is Claude Code's.
// A stream without its first line is mistaken for Claude Code's, until it calls the todo tool that only
// Qwen Code has: it is Qwen Code's from there on.
func (s *claudeSession) becomesQwen() {
	if !s.certain && s.r.opt.Format != Claude {
		s.becomes(Qwen)
	}
}

// qwenProgram is how Qwen Code is started.
func qwenProgram() Program {
	return Program{
		Name:    "qwen",
		Command: []string{"qwen", "--output-format", "stream-json"},
		Resume:  []string{"--resume"},
		Install: "npm install -g @qwen-code/qwen-code",
		Rights:  "--approval-mode auto-edit",
	}
}
