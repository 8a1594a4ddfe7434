package agent

import (
	"slices"
	"unicode/utf8"
)

// head is what recognition looks at: the names of a line's members and the words that name its type.
type head struct {
	typ     word
	subtype word
	method  word
	session word // session_id
	message value
	calls   value // tool_calls
	msg     value // of Codex's older events
	names   [][]byte

	// fresh means that no turn of any agent is open, so that a line with few marks can be taken for a beginning.
	// Inside a turn it may be an agent's tool that prints such lines.
	fresh bool

	// seen means that the agent that is asked had lines in this input, so that fewer marks are enough.
	seen bool
}

// scan reads the outermost level of a line. It reports false if the line is not an object.
func (h *head) scan(line []byte) bool {
	*h = head{names: h.names[:0]}
	k := walker{b: line}
	if k.peek() != '{' {
		return false
	}
	for name, more := k.object(); more; name, more = k.key() {
		if len(h.names) < maxNames {
			h.names = append(h.names, name)
		}
		switch {
		case string(name) == "message":
			h.message = k.value()
		case string(name) == "tool_calls":
			h.calls = k.value()
		case string(name) == "msg":
			h.msg = k.value()
		case k.peek() != '"':
			k.skip()
		case string(name) == "type":
			h.typ = k.word()
		case string(name) == "subtype":
			h.subtype = k.word()
		case string(name) == "method":
			h.method = k.word()
		case string(name) == "session_id":
			h.session = k.word()
		default:
			k.skip()
		}
	}
	return k.done() && utf8.Valid(line)
}

// maxNames is how many members of a line are looked at. Agents write a dozen.
const maxNames = 256

// has reports whether the line has all these members.
func (h *head) has(names ...string) bool {
	for _, want := range names {
		found := false
		for _, name := range h.names {
			found = found || string(name) == want
		}
		if !found {
			return false
		}
	}
	return true
}

// callsTool reports whether the line's message calls one of the tools that are meant.
func (h *head) callsTool(is func(name word) bool) bool {
	var m claudeMessage
	k := walker{b: h.message}
	k.members(m.members)
	return slices.ContainsFunc(m.content, func(b block) bool { return b.is("tool_use") && is(b.name) })
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

// quickType finds the type of a line if it has no escape sequences; otherwise nil.
func quickType(line []byte) []byte {
	w := walker{b: line}
	for name, more := w.object(); more; name, more = w.key() {
		if string(name) == "type" {
			return w.plain()
		}
		w.skip()
	}
	return nil
}
