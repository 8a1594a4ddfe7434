package stream

// foreign recognises the lines of other agents if the format was chosen: agents have types of lines in common,
// and one agent's session must not be mistaken for another's.
type foreign struct {
	between bool   // the lines before were another agent's
	session string // that began with another agent's line
}

// goesOn reports whether a line is certainly the present agent's, so that no other agent is asked: no other one has been
// seen, and the present one writes lines of this type, which do not begin a session.
func (r *Reader) goesOn() bool {
	return r.foreign == foreign{} && r.now != nil && len(r.line.Type) > 0 && !opensSession(r.line.Type) && r.now.agent().knows(r.line.Type)
}

// excludes reports whether a line is from another agent than the requested one.
func (r *Reader) excludes(l *Line) bool {
	mine, other := false, false
	like := Format("")
	if i := r.row(r.opt.Format); i >= 0 {
		like = r.adapters[i].LooksLike
	}
	for i := range r.adapters {
		l.Seen = r.parsers[i] != nil
		switch a := &r.adapters[i]; {
		case !a.claims(l):
		case a.Format == r.opt.Format:
			mine = true
		case a.Format == like && !opensSession(l.Type):
			// All lines but the first look the same.
		default:
			other = true
		}
	}
	first, session := opensSession(l.Type), string(l.Word("session_id"))
	strange := session != "" && session == r.foreign.session
	switch {
	case mine && (first || !strange):
		r.foreign = foreign{session: r.foreign.session}
		if strange {
			r.foreign.session = ""
		}
		return false
	case other && first:
		r.foreign.session = session
	case other && r.now != nil && r.now.agent().knows(l.Type):
		other = false // without a format it would be the present agent's, too
	}
	r.foreign.between = r.foreign.between || other || strange
	return r.foreign.between
}
