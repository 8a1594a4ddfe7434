package qwen

import (
	"cmp"
	"strings"

	"onward/internal/agents/agent"
	"onward/internal/agents/claude"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// The names of Qwen Code and of what it writes.
const (
	Kind stream.Kind = "qwen-code"

	Stream stream.Format = "qwen"
	Chat   stream.Format = "qwen-chat"
)

// hint tells how the todo tool is switched on.
const hint = "newer versions of Qwen Code have the todo tool off by default; set tools.todoWrite.enabled in its settings, and do not exclude todo_write"

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`qwen -p --output-format stream-json`", List: "`todo_write`",
		Lines: lines, Detect: detect, New: func() stream.Parser { return new(claude.Parser) }, WritesAs: claude.Stream, LooksLike: claude.Stream, Variant: &variant,
		Hint: hint,
	},
	{
		Format: Chat,
		From:   "`~/.qwen/projects/…/chats/*.jsonl`", List: "`todo_write`",
		Lines: chatLines, Detect: detectChat, New: func() stream.Parser { return new(chat) },
		Hint:           hint,
		NeverTellsTool: true,
	},
}

// program is how it is started.
var program = agent.Program{
	Command: []string{"qwen", "--output-format", "stream-json"},
	Resume:  []string{"--resume"},
	Install: "npm install -g @qwen-code/qwen-code",
	Rights:  "--approval-mode auto-edit",
	Allows:  "--allowed-tools " + agent.ToolsPlaceholder,
}

// Qwen Code's stream, `qwen -p --output-format stream-json`, has the lines of claude.Stream, one message
// a line with all its blocks; its todo tool, its errors and the ends of its turns are its own.

var lines = []stream.LineType{
	{Name: "system"},
	{Name: "assistant", Marks: "session_id message parent_tool_use_id"},
	{Name: "user"},
	{Name: "result"},
	{Name: "stream_event"},
	{Name: "control_request"},
	{Name: "control_response"},
	{Name: "control_cancel_request"},
}

// detect knows the first line of a session, and calls of the todo tool; the others look like
// those of claude.Stream, which is asked before.
func detect(l *stream.Line) bool {
	switch string(l.Type) {
	case "assistant":
		return !l.Has("sessionId") && l.CallsTool(isTool)
	case "system":
		return string(l.Word("subtype")) == "init" && l.Has("session_id") &&
			(l.Has("qwen_code_version") || l.Has("permission_mode"))
	}
	return false
}

// todoTool writes the whole list.
const todoTool = "todo_write"

func isTool(name stream.Word) bool { return string(name) == todoTool }

// applyResult applies a call whose result has come. A call that a hook of the user refused, or
// that could not be written, is not an error to Qwen Code; only the text shows it. The text of an
// accepted one holds the list as it was stored.
func applyResult(s *stream.Session, call stream.AwaitedTodoCall, failed bool, text string, at todo.Time) {
	if failed || tools.Refused(text) {
		// The tools of init come first: a call is validated before a missing tool is detected,
		// and a sub-agent may lack the tool even if the main agent has it.
		missing := s.Counts.TodoTool == stream.TodoToolOff ||
			failed && call.SubAgent == "" && isMissing(text)
		s.Reject(call, text, missing)
		return
	}
	list := tools.Quoted(text)
	if list == nil {
		list = native.ListIn(call.Input)
	}
	s.Accept(call, list, at)
}

// isMissing reports whether a call was refused because the tool is missing or not allowed.
func isMissing(text string) bool {
	return strings.Contains(text, "not found in registry") || strings.Contains(text, "disabled by default") || strings.Contains(text, "deny rule")
}

// endTurn ends the turn. A sub-agent that fails prints a result too, which does not name it:
// it is recognised by its duration, which no real turn with a sub-agent has.
// A failure of the API is a success to Qwen Code: only the message in brackets shows it.
func endTurn(s *claude.Session, l *claude.Line, t *stream.OpenTurn) {
	failed := l.ReportsFailedTurn()
	if l.EndsTurnEarly() && t.HasSubAgent && string(l.Word("duration_ms")) == "0" {
		return
	}
	says := string(l.Text("result"))
	status := continuation.Done
	if failed || strings.HasPrefix(says, apiError) || strings.Contains(says, "\n"+apiError) {
		status = continuation.Failed
		kind := string(l.Word("error", "type"))
		text := cmp.Or(l.Member("error").Message(), says)
		if strings.HasPrefix(text, "Operation cancelled") || kind == "FatalCancellationError" {
			status = continuation.Aborted
		}
		t.Failure = stream.FailureOf(kind+" "+l.Subtype(), text, nil)
	} else {
		t.RecordMessage([]byte(says))
	}
	s.SetTotalUsage(l, t)
	s.CloseTurn(status, l.At())
}

// apiError begins the message that represents a failure of the API.
const apiError = "[API Error: "

// variant is how Qwen Code's stream differs from claude.Stream.
var variant = claude.Variant{
	Tools: &tools, Begins: detect, Version: "qwen_code_version", IsTool: isTool, Notice: []byte(apiError), Result: endTurn, ApplyResult: applyResult,
}
