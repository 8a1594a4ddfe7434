package agent

import "bytes"

// strangers are agents whose lines resemble those of an agent that is read. They are not read, and must not be
// taken for that agent: their lists, their ids and their ends of turns are others.
type strangers struct {
	name    string // of the last one that was seen
	session string // its id
}

// stranger names the agent of a line that is not read; empty is none of them.
func (s *strangers) stranger(l *line) string {
	id := l.either("session_id", "sessionId").word()
	name := ""
	switch {
	case bytes.HasPrefix(id, []byte("T-")) && l.has("session_id"): // all ids in Claude Code's envelope are UUIDs
		name = "Amp"
	case bytes.HasPrefix(id, []byte("session-")) && l.has("sessionId", "uuid"):
		name = "iFlow CLI"
	case l.has("providerData"),
		l.is("message") && l.has("sessionId", "role"),
		l.is("message") && l.has("role") && l.member("content").kind() == '[' && l.member("timestamp").isNumber():
		name = "CodeBuddy or WorkBuddy"
	case len(id) > 0 && string(id) == s.session:
		return s.name // a note beside its messages
	default:
		return ""
	}
	s.name, s.session = name, string(id)
	return name
}

// passes reports whether a line is from an agent that is not read. It warns of each agent that it meets.
func (r *Reader) passes(l *line) bool {
	before := r.strangers.name
	name := r.stranger(l)
	if name != "" && name != before {
		r.warnOf("skipped the lines of " + name + ", which onward does not read")
	}
	return name != ""
}
