package grok

import (
	"slices"
	"strings"

	"onward/internal/agents/agent"
	"onward/internal/agents/claude"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/object"
	"onward/internal/todo"
)

// formats are what is read of it.
var formats = []stream.Adapter{{
	Format: "grok",
	From:   "`grok -p --output-format streaming-messages-json`", List: "`todo_write`",
	Lines: lines, Detect: detect, New: func() stream.Parser { return new(claude.Parser) }, WritesAs: claude.Stream, LooksLike: claude.Stream, Variant: &variant,
}}

// program is how it is started. It does not read a prompt from standard input.
var program = agent.Program{
	Command: []string{"grok", "--output-format", "streaming-messages-json"},
	Resume:  []string{"--resume"},
	Prompt:  "--single",
	Install: "npm install -g @xai-official/grok",
	Rights:  "--always-approve",
}

var lines = []stream.LineType{
	{Name: "system"},
	{Name: "assistant", Marks: "session_id message parent_tool_use_id"},
	{Name: "user"},
	{Name: "result"},
	{Name: "stream_event"},
}

// detect knows the first line of a session by its tools, whose names are in lower case; the other lines look like those
// of claude.Stream.
func detect(l *stream.Line) bool {
	return l.Is("system") && string(l.Word("subtype")) == "init" && l.Has("session_id", "apiKeySource") && slices.Contains(l.Words("tools"), "run_terminal_command")
}

// variant is how its stream differs from claude.Stream.
var variant = claude.Variant{
	Tools: &tools, Begins: detect, IsTool: isTool, Result: endTurn, ApplyResult: applyResult, Uncached: true,
}

func isTool(name stream.Word) bool { return string(name) == todoTool }

// applyResult applies a call whose result has come: its text is JSON, and has the list as it was stored. A call whose ids
// are not unique is refused there, and is not an error to Grok Build.
func applyResult(s *stream.Session, call stream.AwaitedTodoCall, failed bool, text string, at todo.Time) {
	if list := listIn(object.Value(text).Object()); !failed && list != nil {
		s.Accept(call, list, at)
		return
	}
	s.Reject(call, text, false)
}

// endTurn ends the turn.
func endTurn(s *claude.Session, l *claude.Line, t *stream.OpenTurn) {
	says, status := l.Text("result"), continuation.Done
	switch {
	case string(l.Word("stop_reason")) == "cancelled":
		status = continuation.Aborted
	case l.ReportsFailedTurn():
		status = continuation.Failed
		t.Failure = stream.FailureOf(l.Subtype(), strings.Join(append([]string{string(says)}, l.Words("errors")...), "\n"), nil)
	default:
		t.RecordMessage(says)
	}
	s.SetTotalUsage(l, t)
	s.CloseTurn(status, l.At())
}
