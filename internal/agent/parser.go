package agent

import "strings"

// lineType is a type of line that an agent writes.
type lineType struct {
	name string

	// marks are the members by which a line of this type can only be this agent's, or unmarked.
	// They count where no session is known yet, and for a line that the present agent does not write.
	marks string
}

// unmarked is a type of line by which no agent is recognised.
const unmarked = "-"

// knows reports whether the agent writes lines of this type.
func (a *adapter) knows(typ []byte) bool {
	for i := range a.lines {
		if a.lines[i].name == string(typ) {
			return true
		}
	}
	return a.more != nil && a.more(typ)
}

// claims reports whether a line can only be this agent's.
func (a *adapter) claims(l *line) bool {
	for _, t := range a.lines {
		if l.is(t.name) && t.marks != unmarked && l.has(strings.Fields(t.marks)...) {
			return true
		}
	}
	return a.detect != nil && a.detect(l)
}

// parser turns one agent's lines into updates. It holds what must be remembered between lines.
type parser interface {
	attach(r *Reader, a *adapter)
	agent() *adapter

	// read parses and applies a line. After an error nothing has changed.
	read(l *line) error

	// stream is the session that the last line belonged to, nil before one was read.
	stream() *stream

	// stop is called when another agent's session begins and at the end of the input:
	// what is unfinished now stays so.
	stop()
}

// base is what all parsers have.
type base struct {
	r *Reader
	a *adapter
}

func (b *base) attach(r *Reader, a *adapter) { b.r, b.a = r, a }
func (b *base) agent() *adapter              { return b.a }

// single is a parser of sessions that come one after the other.
type single struct {
	base
	s    *stream
	over bool // the run has ended; what follows is another one, for agents whose lines do not name it
}

func (p *single) stream() *stream { return p.s }

func (p *single) stop() {
	if p.s != nil {
		p.s.stop()
		p.over = true
	}
}

// known returns the session, which has no name where its beginning is missing.
func (p *single) known() *stream {
	if p.s == nil {
		p.s = p.r.session(p.a, "")
	}
	return p.s
}

// anew goes to a session without a name where another run begins, and reports whether it does.
// Its events must differ from those of the previous run, which had no name either.
func (p *single) anew() bool {
	before := p.s
	if before != nil && !p.over {
		return false
	}
	p.s, p.over = p.r.session(p.a, ""), false
	if before != nil {
		p.s.ordinal = max(p.s.ordinal, before.ordinal)
	}
	return true
}

// several is a parser of sessions that can run side by side, since each of their lines names its own.
// What it remembers of a session is the stream's state.
type several[S interface {
	comparable
	own() *stream
	stop()
}] struct {
	base
	now S // of the last line that meant something
}

func (s *stream) own() *stream { return s }

func (p *several[S]) stream() *stream {
	var none S
	if p.now == none {
		return nil
	}
	return p.now.own()
}

// find returns a line's session if it is known. A line that names none is of the one before it.
func (p *several[S]) find(id word) (found S) {
	if s := p.stream(); s != nil && (len(id) == 0 || string(id) == s.id) {
		return p.now
	}
	if s := p.r.sessions[p.a.key(string(id), "")]; s != nil {
		found, _ = s.state.(S)
	}
	return found
}

// enter goes to a session.
func (p *several[S]) enter(s S) S {
	s.own().state, s.own().active = s, true
	p.now = s
	return s
}

func (p *several[S]) stop() {
	for _, s := range p.r.streams {
		if s.active && s.by == p.a {
			s.active = false
			s.state.(S).stop()
		}
	}
}
