package agent

// line is a line of the input, with what recognition looks at.
type line struct {
	value
	typ word // its type, where that is a string

	// fresh means that no turn of any agent is open, so that a line with few marks can be taken for a beginning.
	// Inside a turn it may be an agent's tool that prints such lines.
	fresh bool

	// seen means that the agent that is asked had lines in this input, so that fewer marks are enough.
	seen bool
}

// is reports whether the line is of a type.
func (l *line) is(typ string) bool { return string(l.typ) == typ }

// callsTool reports whether the line's message calls one of the tools that are meant.
func (l *line) callsTool(is func(name word) bool) bool {
	for b := range l.blocks("message", "content") {
		if b.is("tool_use") && is(b.word("name")) {
			return true
		}
	}
	return false
}

// hasResultFor reports whether the line's message has the result of a call that waits for it.
func (l *line) hasResultFor(w *waiting) bool {
	for b := range l.blocks("message", "content") {
		if b.is("tool_result") && w.awaited(b.word("tool_use_id")) {
			return true
		}
	}
	return false
}

// begins reports whether a line of this type can open a session of some agent,
// so that the agent must be detected again. A run that fails at once prints nothing but an error.
func begins(typ []byte) bool {
	switch string(typ) {
	case "thread.started", "session_meta", "system", "init", "error":
		return true
	}
	return false
}
