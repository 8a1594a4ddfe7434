package stream

import (
	"cmp"
	"slices"
)

// An input can have any number of sessions, turns and calls. Only a limited number of them is reported one by one; of the
// earlier ones, only totals are kept.
const (
	maxStreams   = 500
	maxTurns     = 1000   // of one session
	maxAllTurns  = 50_000 // of all sessions
	maxNamed     = 1000   // calls of all sessions that are named
	maxSubAgents = 1000   // of one session
)

// Totals add up what is not reported one by one.
type Totals struct {
	Streams   int `json:"streams,omitzero"`
	Lists     int `json:"lists,omitzero"`
	Turns     int `json:"turns"`
	ToolCalls int `json:"tool_calls"`
}

func (t *Totals) add(turns []Turn) {
	t.Turns += len(turns)
	for _, turn := range turns {
		t.ToolCalls += turn.ToolCalls
	}
}

// addTurn records a turn that begins, and returns its number.
func (s *Counts) addTurn() int {
	if len(s.Turns) == 2*maxTurns {
		s.Earlier.add(s.Turns[:maxTurns])
		s.Turns = slices.Delete(s.Turns, 0, maxTurns)
	}
	s.Turns = append(s.Turns, Turn{})
	return s.turns()
}

// turns is how many turns there were.
func (s *Counts) turns() int { return s.Earlier.Turns + len(s.Turns) }

// setTurn records how a turn ended.
func (s *Counts) setTurn(n int, t Turn) {
	if i := n - 1 - s.Earlier.Turns; i >= 0 {
		s.Turns[i] = t
	}
}

// dropSilentSessions drops the sessions that have been silent for the longest, if there are too many. Their counts are added to the totals.
// A dropped session that continues after all counts as a new one.
func (r *Reader) dropSilentSessions() {
	if len(r.streams) < maxStreams && r.turns < maxAllTurns {
		return
	}
	byAge := slices.SortedFunc(slices.Values(r.streams), func(a, b *Session) int { return cmp.Compare(a.LastLine, b.LastLine) })
	for _, s := range byAge[:len(byAge)/10+1] {
		if !r.current(s) {
			r.abandon(s)
		}
	}
	r.streams = slices.DeleteFunc(r.streams, func(s *Session) bool { return s.Abandoned })
	r.sum.Streams, r.turns = r.sum.Streams[:0], 0
	for _, s := range r.streams {
		r.sum.Streams = append(r.sum.Streams, s.Counts)
		r.turns += len(s.Counts.Turns)
	}
}

// current reports whether the last line of some agent was this session's.
func (r *Reader) current(s *Session) bool {
	return slices.ContainsFunc(r.parsers, func(p Parser) bool { return p != nil && p.stream() == s })
}

// abandon drops a session that will not continue.
func (r *Reader) abandon(s *Session) {
	s.Stop()
	s.Abandoned = true
	r.ordinals = max(r.ordinals, s.ordinal)
	delete(r.sessions, s.by.key(s.ID, s.SubAgent))
	e := &r.sum.Earlier
	e.Streams++
	e.Lists += s.Counts.Lists.Emitted
	e.Turns += s.Counts.Earlier.Turns
	e.ToolCalls += s.Counts.Earlier.ToolCalls
	e.add(s.Counts.Turns)
}
