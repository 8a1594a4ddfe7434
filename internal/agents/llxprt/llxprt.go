package llxprt

import (
	"bytes"

	"onward/internal/agents/gemini"
	"onward/internal/agents/stream"
	"onward/internal/native"
)

// The names of LLxprt Code and of what it writes.
const (
	Kind stream.Kind = "llxprt-code"

	Stream stream.Format = "llxprt"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		// In the registry it comes after gemini.Agent, whose stream it writes.
		Format: Stream,
		From:   "`llxprt -p --output-format stream-json`", List: "`todo_write`; `todo_pause` pauses",
		Lines: gemini.Lines, New: func() stream.Parser { return new(gemini.Parser) }, WritesAs: gemini.Stream, Variant: &variant,
	},
}

// LLxprt Code writes gemini.Stream, and nothing in its first lines distinguishes them.
// A session is LLxprt Code's from the first line on that only LLxprt Code writes: with a call of its todo tools,
// a call's id in its own form, the category of an error, or the totals of a run, which count more.

// wrote reports whether only LLxprt Code writes such a line.
func wrote(l *stream.Line) bool {
	return tool(string(l.Word("tool_name"))) != nil || bytes.HasPrefix(l.Word("tool_id"), []byte("hist_tool_")) ||
		len(l.Word("category")) > 0 || l.Member("stats", "agent_active_ms") != nil
}

func tool(name string) *native.Tool { return tools.Find(name) }

// variant is how LLxprt Code's stream differs from gemini.Stream.
var variant = gemini.Variant{Wrote: wrote, Tool: tool}
