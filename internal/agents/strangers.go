package agents

import (
	"bytes"

	"onward/internal/agents/stream"
)

// strangers are the agents that are known, and not read.
var strangers = [...]stream.UnsupportedAgent{
	{Name: "Amp", Wrote: func(l *stream.Line, id stream.Word) bool {
		return bytes.HasPrefix(id, []byte("T-")) && l.Has("session_id") // all other ids in such an envelope are UUIDs
	}},
	{Name: "iFlow CLI", Wrote: func(l *stream.Line, id stream.Word) bool {
		return len(id) == len("session-5de701fc-0000-4000-8000-000000000000") && bytes.HasPrefix(id, []byte("session-")) && l.Has("sessionId", "uuid")
	}},
	{Name: "CodeBuddy or WorkBuddy", Wrote: func(l *stream.Line, _ stream.Word) bool {
		return l.Has("providerData") ||
			l.Is("message") && (l.Has("sessionId", "role") || l.Has("role") && l.Member("content").Kind() == '[' && l.Member("timestamp").IsNumber())
	}},
}
