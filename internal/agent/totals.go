package agent

import "slices"

// An input can have any number of sessions, turns and calls. What is told of them one by one is bounded;
// of those before, only totals are kept.
const (
	maxStreams   = 1000
	maxTurns     = 1000   // of one session
	maxAllTurns  = 50_000 // of all sessions
	maxNamed     = 1000   // calls of all sessions that are named
	maxSubAgents = 1000   // of one session
)

// Totals add up what is not told one by one.
type Totals struct {
	Streams   int
	Lists     int
	Turns     int
	ToolCalls int
}

func (t *Totals) add(turns []Turn) {
	t.Turns += len(turns)
	for _, turn := range turns {
		t.ToolCalls += turn.ToolCalls
	}
}

// addTurn notes a turn that begins, and gives its number.
func (s *Stream) addTurn() int {
	if len(s.Turns) == 2*maxTurns {
		s.Earlier.add(s.Turns[:maxTurns])
		s.Turns = slices.Delete(s.Turns, 0, maxTurns)
	}
	s.Turns = append(s.Turns, Turn{})
	return s.turns()
}

// turns is how many turns there were.
func (s *Stream) turns() int { return s.Earlier.Turns + len(s.Turns) }

// setTurn notes how a turn ended.
func (s *Stream) setTurn(n int, t Turn) {
	if i := n - 1 - s.Earlier.Turns; i >= 0 {
		s.Turns[i] = t
	}
}

// fold leaves the session that had no line for the longest, where there are too many: its counts go into the totals,
// and should it go on after all, it begins anew.
func (r *Reader) fold() {
	turns := 0
	for _, s := range r.streams {
		turns += len(s.sum.Turns)
	}
	for len(r.streams) >= maxStreams || turns > maxAllTurns {
		oldest := -1
		for i, s := range r.streams {
			if (oldest < 0 || s.last < r.streams[oldest].last) && !r.current(s) {
				oldest = i
			}
		}
		if oldest < 0 {
			return
		}
		s := r.streams[oldest]
		turns -= len(s.sum.Turns)
		r.leave(s, oldest)
	}
}

// current reports whether the last line of some agent was this session's.
func (r *Reader) current(s *stream) bool {
	return slices.ContainsFunc(r.parsers, func(p parser) bool { return p != nil && p.stream() == s })
}

func (r *Reader) leave(s *stream, at int) {
	if p, ok := r.parserOf(s).(multiple); ok {
		p.leave(s)
	}
	s.drop()
	s.cut()
	r.ordinals = max(r.ordinals, s.ordinal)
	delete(r.sessions, s.a.key(s.id, s.sub))
	r.streams = slices.Delete(r.streams, at, at+1)
	r.sum.Streams = slices.Delete(r.sum.Streams, at, at+1)
	e := &r.sum.Earlier
	e.Streams++
	e.Lists += s.sum.Lists
	e.Turns += s.sum.Earlier.Turns
	e.ToolCalls += s.sum.Earlier.ToolCalls
	e.add(s.sum.Turns)
}

// multiple is a parser that keeps several sessions.
type multiple interface {
	parser
	leave(s *stream)
}

func (r *Reader) parserOf(s *stream) parser {
	for i := range r.adapters {
		if r.adapters[i].format == s.opened {
			return r.parsers[i]
		}
	}
	return nil
}
