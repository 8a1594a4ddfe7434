package stream

// Line is a line of the input, with what recognition looks at.
type Line struct {
	Value
	Type Word // its type, if that is a string

	// Fresh means that no turn of any agent is open. Then a line with few marks may begin a session; inside a turn, it may
	// as well be the output of a tool.
	Fresh bool

	// Seen means that the agent that is asked already had lines in this input. Then fewer marks are enough.
	Seen bool
}

// Is reports whether the line is of a type.
func (l *Line) Is(typ string) bool { return string(l.Type) == typ }

// CallsTool reports whether the line's message calls one of the tools that are meant.
func (l *Line) CallsTool(is func(name Word) bool) bool {
	for b := range l.Blocks("message", "content") {
		if b.Is("tool_use") && is(b.Word("name")) {
			return true
		}
	}
	return false
}

// hasAwaited reports whether the line's message has the result of a call that waits for it.
func (r *Reader) hasAwaited(l *Line) bool {
	for b := range l.Blocks("message", "content") {
		if b.Is("tool_result") && r.waiting.awaited(b.Word("tool_use_id")) {
			return true
		}
	}
	return false
}

// opensSession reports whether a line of this type can open a session of some agent,
// so that the agent must be detected again. A run that fails immediately prints nothing but an error.
func opensSession(typ []byte) bool {
	switch string(typ) {
	case "thread.started", "session_meta", "system", "init", "error":
		return true
	}
	return false
}
