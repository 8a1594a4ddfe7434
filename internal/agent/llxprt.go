package agent

import (
	"bytes"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// LLxprt Code writes Gemini CLI's stream, and nothing in its first lines distinguishes them.
// A session is LLxprt Code's from the first line on that only LLxprt Code writes: with a call of its todo tools,
// a call's id in its own form, the category of an error, or the totals of a run, which count more.

// byLLxprt reports whether only LLxprt Code writes such a line.
func byLLxprt(l *line) bool {
	return native.ToolOf(native.LLxprt, string(l.word("tool_name"))) != nil || bytes.HasPrefix(l.word("tool_id"), []byte("hist_tool_")) ||
		len(l.word("category")) > 0 || l.member("stats", "agent_active_ms") != nil
}

// pause applies todo_pause, by which the model pauses itself.
func (g *gemini) pause(input object.Value, at todo.Time) {
	reason := ToolPause(input.Object().Text("reason"))
	g.s.emit(Update{Event: continuation.Event{Type: continuation.Pause, Reason: reason}, At: at})
}
