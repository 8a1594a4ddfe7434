package stream

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// Saved is the list that a session begins with.
type Saved = native.SavedList

// Options control how a stream is read. The zero value recognises every agent.
type Options struct {
	// Format restricts the input to one agent; the empty string is auto.
	Format Format

	// Conversation is the session of a stream that does not name it before its end.
	Conversation string

	// Lenient also accepts objects over several lines, and objects after a logger's prefix.
	Lenient bool

	// LineGrew is called when a line is so long that it needs more memory, with the bytes that lines then use.
	LineGrew func(bytes int)

	// Saved returns the list that is known about a session from before, or nil.
	// It is asked once for a session whose agent changes single items, since a resumed session
	// names only those that change.
	Saved func(kind Kind, session string) Saved

	// Problems returns the end of what the program wrote to standard error so far. It is asked where the stream does not name
	// the class of a failure.
	Problems func() string

	// OnTalk is told what the model says and does within its turns, as the lines are read; may be nil.
	OnTalk func(Talk)

	// Clock is the time at which a line is read, by which loops within turns are found; nil if nobody asks for them.
	Clock func() time.Time

	// OverwriteLines overwrites each line after it was read. A test sets it, to find values that are used after their line.
	OverwriteLines bool
}

// Reader turns an input with the streams of any number of sessions into updates.
type Reader struct {
	lines    lineReader
	opt      Options
	adapters []Adapter
	parsers  []Parser // by the index of the adapter, nil until it is needed
	indexer  indexer
	line     Line
	now      Parser   // the agent whose session the last line belonged to
	early    []string // the types of lines that were skipped before any agent was known
	between  bool     // another agent's lines follow
	foreign  foreign  // the lines of agents that are left out
	sessions map[string]*Session
	streams  []*Session // the same in the order of their beginning
	opened   int        // how many sessions were opened so far
	ordinals int        // the largest of the dropped sessions, so that later ones repeat nothing
	named    int        // calls that were named
	turns    int        // of all reported sessions
	waiting  waiting
	prefix   []byte // the logger's prefix of the last line with an object
	rest     []byte // of the line that was read last: the objects that follow the first one
	damages  []damage

	out         []Update
	sum         Summary
	told        int // how many warnings Warnings has returned
	ended       bool
	interrupted atomic.Bool
	terminated  atomic.Bool

	strangers []UnsupportedAgent
	tools     native.Registry
	texts     AllFailureTexts
	denials   int           // that standard error told of before the last turn ended
	repeated  *RepeatedCall // at the end of the last turn that ended
	strange   strange
}

// Agents are the agents whose lines a Reader can meet.
type Agents struct {
	Adapters  []Adapter          // those that it reads; where two claim the same line, the first one gets it
	Strangers []UnsupportedAgent // those that are known, and not read
	Tools     native.Registry    // the tools of all agents, also of those whose streams are not read
	Texts     AllFailureTexts    // what the programs of all agents write about failures
}

// NewReader reads from r; it reads ahead at most the result of one Read of r.
func NewReader(r io.Reader, opt Options, known Agents) *Reader {
	return &Reader{
		lines:     lineReader{in: source{Reader: r}, limit: maxLine, grows: opt.LineGrew},
		opt:       opt,
		indexer:   indexer{nodes: make([]node, 0, usualNodes)},
		adapters:  known.Adapters,
		parsers:   make([]Parser, len(known.Adapters)),
		strangers: known.Strangers,
		tools:     known.Tools,
		texts:     known.Texts,
		sessions:  make(map[string]*Session),
	}
}

// Next reads up to the first line with updates and returns those; they and their items are valid until the next call,
// and not to be changed.
// Each line's updates are given before another line is read.
// At the end of the input it first returns the updates of the end (turns that were cut off), then io.EOF.
// Any other error is the input's own. Lines that cannot be read do not cause an error; Summary counts them.
func (r *Reader) Next() ([]Update, error) {
	r.out = r.out[:0]
	for len(r.out) == 0 {
		if line := r.rest; line != nil {
			r.rest = nil
			r.dispatch(line, true)
			continue
		}
		line, tooLong, err := r.lines.next()
		switch {
		case err != nil && (r.ended || errors.Is(err, ErrInputContinues)):
			return nil, err
		case err != nil:
			r.end()
		case tooLong:
			r.sum.Lines++
			r.skip(&Skipped{TooLong: 1})
		case len(line) > 0 && line[len(line)-1] == '{' && (len(line) == 1 || r.opt.Lenient && objectIn(line) < 0):
			if all := r.whole(line); all != nil {
				r.dispatch(all, r.opt.Lenient)
			}
		case len(line) > 0:
			r.sum.Lines++
			r.dispatch(line, r.opt.Lenient || line[0] == '[' && objectIn(line) == 1)
		}
		r.speaks()
	}
	return r.out, nil
}

// Working reports whether turns are open, and whether a tool call runs in one of them.
func (r *Reader) Working() (turn, call bool) {
	for _, s := range r.streams {
		if len(s.open) > 0 {
			turn, call = true, call || len(s.running) > 0
		}
	}
	return turn, call
}

// AsksUser reports whether an agent waits for its user.
func (r *Reader) AsksUser() bool {
	return slices.ContainsFunc(r.streams, func(s *Session) bool { return s.Asks })
}

// OpenTurnUsage returns what the open turns have used so far, if the stream shows it within a turn, the end of the last message in
// them, and the model that the agent has named.
func (r *Reader) OpenTurnUsage() (used continuation.Usage, said, model string) {
	for _, s := range r.streams {
		for _, t := range s.open {
			used.Add(t.Usage)
			said, model = cmp.Or(t.lastMessage(), said), cmp.Or(s.Counts.Model, model)
		}
	}
	return used, said, model
}

// OpenTurnCalls returns how many tool calls the open turns have made.
func (r *Reader) OpenTurnCalls() (n int) {
	for _, s := range r.streams {
		for _, t := range s.open {
			n += t.Tools
		}
	}
	return n
}

// Ended reports whether the input has ended, so that the last updates are those of its end.
func (r *Reader) Ended() bool { return r.ended }

// Interrupt reports that the user interrupted the agent, as the caller saw by a signal of its own.
// Turns that are still open at the end of the input are then aborted, not cut off.
// It may be called from another goroutine.
func (r *Reader) Interrupt() { r.interrupted.Store(true) }

// Terminate reports that the caller ends the agent, so that the turn is cut off: some then say that their user aborted it.
func (r *Reader) Terminate() { r.terminated.Store(true) }

// TakeWarnings returns the warnings for stderr since the last call.
func (r *Reader) TakeWarnings() []string {
	news := r.sum.Warnings[r.told:]
	r.told = len(r.sum.Warnings)
	return news
}

// Summary returns the counts so far; they are complete once Next has given io.EOF.
func (r *Reader) Summary() *Summary {
	r.sum.Bytes = r.lines.in.bytes
	return &r.sum
}

// dispatch finds out which agent wrote a line, and passes it to that agent's parser unless it changes nothing.
// Embedded means that the line may hold its object among other text, or several of them: a program that prints its whole
// output at its end prints an array of what it would have printed line by line.
func (r *Reader) dispatch(line []byte, embedded bool) {
	whole := line
	if embedded {
		line, r.rest = r.objectInLog(line)
	}
	if r.opt.OverwriteLines {
		defer func(line []byte) { copy(line, bytes.Repeat([]byte("#"), len(line))) }(whole[:len(whole)-len(r.rest)])
	}
	if len(line) == 0 || line[0] != '{' || line[len(line)-1] != '}' {
		r.skip(&Skipped{NotJSON: 1})
		if !r.cutOff(line) {
			r.warnDamaged(whole)
		}
		return
	}
	r.decode(line)
}

// decode reads a line that may be an object.
func (r *Reader) decode(text []byte) {
	all, ok := r.indexer.index(text)
	if !ok {
		r.skip(&Skipped{NotJSON: 1})
		r.warnDamaged(text)
		return
	}
	l := &r.line
	*l = Line{Value: all, Fresh: r.now == nil || r.now.stream().NewestTurn() == nil}
	if typ := all.Member("type"); typ.IsString() {
		l.Type = typ.Word()
	}
	if r.passes(l) || r.opt.Format != "" && r.opt.Format != Auto && !r.goesOn() && r.excludes(l) {
		r.refuse(text)
		return
	}
	p := r.now
	if p == nil || opensSession(l.Type) || !p.agent().knows(l.Type) {
		p = r.recognise(l, nil)
	} else if p.agent().LooksLikeOthers {
		p = cmp.Or(r.holder(l), p)
	}
	opened := r.opened
	err := r.read(p, l)
	if errors.Is(err, ErrOtherAgent) {
		// Two agents have lines of this type, and the line is not the present one's.
		if other := r.recognise(l, p); other != nil && other != p {
			p = other
			err = r.read(p, l)
		}
	}
	if err != nil {
		if errors.Is(err, ErrUnknownType) && r.now != nil && !r.now.agent().knows(l.Type) {
			r.unread(l)
		}
		r.refuse(text)
		return
	}
	if r.now != nil && p != r.now && (r.opened != opened || opensSession(l.Type)) {
		// A session begins. The end of the other agent's session precedes the updates of this line.
		news := slices.Clone(r.out)
		r.out = r.out[:0]
		r.between = true
		r.now.Stop()
		r.between = false
		r.out = append(r.out, news...)
	}
	if r.now == nil {
		r.warnEarly(p.agent())
	}
	r.now = p
	p.stream().took()
}

// read hands a line to the parser that was found for it.
func (r *Reader) read(p Parser, l *Line) error {
	if p == nil {
		return ErrUnknownType
	}
	idle := p.agent().ChangesNothing
	if (idle == nil || !idle(p, l)) && !utf8.Valid(l.Raw()) {
		return errNotJSON
	}
	return p.Read(l)
}

// refuse counts a line that no parser understands.
func (r *Reader) refuse(line []byte) {
	if utf8.Valid(line) && jsontext.Value(line).IsValid(lax()...) {
		if r.skip(&Skipped{UnknownType: 1}); r.now == nil && len(r.line.Type) > 0 && len(r.early) < maxEarly {
			r.early = append(r.early, string(r.line.Type))
		}
	} else {
		r.skip(&Skipped{NotJSON: 1})
		r.warnDamaged(line)
	}
}

// maxEarly is how many skipped lines are remembered until an agent is known.
const maxEarly = 1000

// warnEarly warns of skipped lines that the agent, which is known only now, may have written: others write such lines too.
func (r *Reader) warnEarly(a *Adapter) {
	r.early = slices.DeleteFunc(r.early, func(typ string) bool { return !a.knows([]byte(typ)) })
	if n := len(r.early); n > 0 && a.HasMoreTypes == nil { // a server's types are not all known
		r.warnOf(fmt.Sprintf("skipped %s before the first that shows that it is from %s; --format %s reads them", todo.Plural(n, "line"), a.Title, a.Format))
	}
	r.early = nil
}

// recognise finds the parser for a line by its content: that of the first agent that claims it and has not refused it,
// else the present agent's if it writes such lines.
func (r *Reader) recognise(l *Line, refused Parser) Parser {
	if p := r.holder(l); p != nil && p != refused {
		return p
	}
	for i := range r.adapters {
		l.Seen = r.parsers[i] != nil
		if a := &r.adapters[i]; r.allowed(a.Format) && a.claims(l) {
			if p := r.parser(i); p != refused {
				return p
			}
		}
	}
	if r.now != nil && r.now.agent().knows(l.Type) {
		return r.now
	}
	if i := r.row(r.opt.Format); r.now == nil && i >= 0 && r.adapters[i].knows(l.Type) {
		return r.parser(i)
	}
	return nil
}

// holder finds the parser of a line by the session that the line names. It is for agents whose lines look the same, and
// which may run at the same time.
func (r *Reader) holder(l *Line) Parser {
	session := l.Word("session_id")
	if len(session) == 0 || opensSession(l.Type) || r.now != nil && r.now.stream().ID == string(session) {
		return nil
	}
	for i, p := range r.parsers {
		if a := &r.adapters[i]; p != nil && a.LooksLikeOthers && a.knows(l.Type) && r.sessions[a.key(string(session), "")] != nil {
			return p
		}
	}
	return nil
}

func (r *Reader) allowed(format Format) bool {
	return r.opt.Format == "" || r.opt.Format == Auto || r.opt.Format == format
}

// row finds the row of a format; it returns its index, or -1.
func (r *Reader) row(format Format) int {
	return slices.IndexFunc(r.adapters, func(a Adapter) bool { return a.Format == format })
}

// parser returns an agent's parser. If the agent writes the lines of another one, and the input may have both, it is the
// other one's.
func (r *Reader) parser(i int) Parser {
	if as := r.adapters[i].WritesAs; as != "" && r.allowed(as) {
		i = r.row(as)
	}
	if r.parsers[i] == nil {
		r.parsers[i] = r.adapters[i].New()
		r.parsers[i].attach(r, &r.adapters[i])
	}
	return r.parsers[i]
}

// session finds the stream of a session, or opens it. Sub is the sub-agent whose file it is, if it has one of its own.
func (r *Reader) session(a *Adapter, id, sub string) *Session {
	key := a.key(id, sub)
	s := r.sessions[key]
	if s == nil {
		r.dropSilentSessions()
		s = &Session{r: r, a: a, by: a, ID: id, SubAgent: sub, ordinal: r.ordinals, LastLine: r.sum.Lines, Counts: &Counts{Kind: a.Kind, Format: a.Format, Title: a.Title, Sessions: [1]string{id}, SubAgent: sub, TodoTool: TodoToolUnknown}}
		if sub != "" {
			s.Counts.SubAgents = []string{sub}
		}
		r.sessions[key] = s
		r.opened++
		r.streams = append(r.streams, s)
		r.sum.Streams = append(r.sum.Streams, s.Counts)
	}
	return s
}

// end emits the updates of the end of the input.
func (r *Reader) end() {
	r.ended = true
	for _, p := range r.parsers {
		if p != nil {
			p.Stop()
		}
	}
	r.waiting.lose()
	r.tellDamages()
	for _, s := range r.streams {
		s.finish()
	}
}

// skip counts skipped lines, for the input and for the session that contains them.
func (r *Reader) skip(why *Skipped) {
	add := func(s *Skipped) {
		s.NotJSON += why.NotJSON
		s.TooLong += why.TooLong
		s.UnknownType += why.UnknownType
	}
	add(&r.sum.Skipped)
	if r.now != nil {
		s := r.now.stream().Counts
		add(&s.Skipped)
		s.Lines += why.Total()
	}
}
