package stream

import (
	"cmp"
	"strings"

	"onward/internal/native"
)

// LineType is a type of line that an agent writes.
type LineType struct {
	Name string

	// Marks are members that only this agent writes in a line of this type. Without marks, such a line may be any agent's.
	// They are looked at if no session is known yet, and if the present agent writes no lines of the type.
	Marks string
}

// MarkedByType marks a type of line that can only be this agent's, with any members.
const MarkedByType = "type"

// knows reports whether the agent writes lines of this type.
func (a *Adapter) knows(typ []byte) bool {
	for i := range a.Lines {
		if a.Lines[i].Name == string(typ) {
			return true
		}
	}
	return a.HasMoreTypes != nil && a.HasMoreTypes(typ)
}

// claims reports whether a line can only be this agent's.
func (a *Adapter) claims(l *Line) bool {
	for _, t := range a.Lines {
		if t.Marks != "" && l.Is(t.Name) && l.Has(strings.Fields(t.Marks)...) {
			return true
		}
	}
	return a.Detect != nil && a.Detect(l)
}

// Parser turns one agent's lines into updates. It holds what must be remembered between lines.
// A parser embeds Sequential or Interleaved, and adds Read.
type Parser interface {
	sessions

	// Read parses and applies a line. After an error nothing has changed.
	Read(l *Line) error
}

// sessions is what Sequential and Interleaved bring into every parser.
type sessions interface {
	attach(r *Reader, a *Adapter)
	agent() *Adapter

	// stream is the session that the last line belonged to, nil before one was read.
	stream() *Session

	// Stop is called when another agent's session begins, and at the end of the input. It ends what is unfinished, because
	// nothing more will come.
	Stop()
}

var _ sessions = (*SequentialSessions)(nil)

// base is what all parsers have.
type base struct {
	r        *Reader
	a        *Adapter
	Variants []*Adapter // the agents whose lines it reads too, each with a variant
}

func (b *base) attach(r *Reader, a *Adapter) {
	b.r, b.a = r, a
	for i := range r.adapters {
		if other := &r.adapters[i]; other.Variant != nil && (other == a || other.WritesAs == a.Format) {
			b.Variants = append(b.Variants, other)
		}
	}
}

func (b *base) agent() *Adapter { return b.a }

// Open finds the stream of a session, or opens it.
func (b *base) Open(id string) *Session {
	return b.r.session(b.a, cmp.Or(id, b.r.opt.Conversation), "")
}

// OpenSub does the same as Open for a sub-agent whose lines are in a file of their own.
func (b *base) OpenSub(id, sub string) *Session { return b.r.session(b.a, id, sub) }

// KnowsType reports whether the agent writes lines of a type.
func (b *base) KnowsType(typ []byte) bool { return b.a.knows(typ) }

// HasAwaitedResult reports whether a line's message has the result of a call that waits for it.
func (b *base) HasAwaitedResult(l *Line) bool { return b.r.hasAwaited(l) }

// AnyTool returns the todo tool of a name, of any agent and in any style, or nil.
func (b *base) AnyTool(name string) *native.Tool { return native.ToolIn(b.r.tools, name) }

// SequentialSessions is a parser of sessions that come one after the other.
type SequentialSessions struct {
	base
	Session *Session
	RunOver bool // the run has ended, so that a line without a session's id belongs to another run
}

func (p *SequentialSessions) stream() *Session { return p.Session }

// Stop ends the turns of the session.
func (p *SequentialSessions) Stop() {
	if p.Session != nil {
		p.Session.Stop()
		p.RunOver = true
	}
}

// KnownSession returns the session, which has no name if its beginning is missing.
func (p *SequentialSessions) KnownSession() *Session {
	if p.Session == nil {
		p.Session = p.Open("")
	}
	return p.Session
}

// BeginRun goes to another session without a name if another run begins here, and reports whether one does.
// The events of the two must differ in their ids, so the numbers go on where those of the previous run ended.
func (p *SequentialSessions) BeginRun() bool {
	before := p.Session
	if before != nil && !p.RunOver {
		return false
	}
	p.Session, p.RunOver = p.Open(""), false
	if before != nil {
		p.Session.ordinal = max(p.Session.ordinal, before.ordinal)
	}
	return true
}

// sessionState is what a parser remembers of one of the sessions that run side by side. It embeds the session.
type sessionState interface {
	comparable
	own() *Session
	Stop()
}

// Interleaved is a parser of sessions that can run side by side, since each of their lines names its own.
// What it remembers of a session is the stream's state.
type Interleaved[S sessionState] struct {
	base
	Now S // the session of the last line that meant something
}

func (s *Session) own() *Session { return s }

func (p *Interleaved[S]) stream() *Session {
	var none S
	if p.Now == none {
		return nil
	}
	return p.Now.own()
}

// FindSession returns a line's session if it is known. A line without a session's id belongs to the session of the line before.
func (p *Interleaved[S]) FindSession(id Word) (found S) {
	if s := p.stream(); s != nil && (len(id) == 0 || string(id) == s.ID) {
		return p.Now
	}
	if s := p.r.sessions[p.a.key(string(id), "")]; s != nil {
		found, _ = s.state.(S)
	}
	return found
}

// EnterSession goes to a session.
func (p *Interleaved[S]) EnterSession(s S) S {
	s.own().state, s.own().active = s, true
	p.Now = s
	return s
}

// Stop ends the turns of all sessions that had lines since the last one.
func (p *Interleaved[S]) Stop() {
	for _, s := range p.r.streams {
		if s.active && s.by == p.a {
			s.active = false
			s.state.(S).Stop()
		}
	}
}
