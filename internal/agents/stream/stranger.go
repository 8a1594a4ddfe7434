package stream

// UnsupportedAgent is an agent that is not read, although its lines resemble those of an agent that is. They must not be taken for
// that one's, because lists, ids and ends of turns mean something else in them.
type UnsupportedAgent struct {
	Name string

	// Wrote reports whether a line is its own; id is that of the line's session.
	Wrote func(l *Line, id Word) bool
}

// strange is the stranger that was seen last.
type strange struct {
	name    string
	session string // its id
}

// stranger returns the name of the agent of a line that onward does not read on purpose; empty if it is not one of these agents.
func (r *Reader) stranger(l *Line) string {
	id := l.Either("session_id", "sessionId").Word()
	for i := range r.strangers {
		if s := &r.strangers[i]; s.Wrote(l, id) {
			r.strange = strange{s.Name, string(id)}
			return s.Name
		}
	}
	if len(id) > 0 && string(id) == r.strange.session {
		return r.strange.name // a line that belongs to its messages
	}
	return ""
}

// passes reports whether a line is from an agent that is not read. It warns of each agent that it meets.
func (r *Reader) passes(l *Line) bool {
	before := r.strange.name
	name := r.stranger(l)
	if name != "" && name != before {
		r.warnOf("skipped the lines of " + name + ", which onward does not read")
	}
	return name != ""
}
