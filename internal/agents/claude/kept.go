package claude

import (
	"slices"

	"onward/internal/agents/stream"
)

// Sessions keep their lists in case that they continue, and what the lists were before in case that
// something is taken back.
const (
	maxListed = 100  // sessions
	maxSubs   = 100  // lists of a session's sub-agents
	maxUndone = 1000 // items of lists that can be restored
)

// updateWeight recalculates the memory of a session.
func (s *Session) updateWeight() {
	bytes := 64 * len(s.subs)
	for _, l := range s.lists {
		bytes += stream.EstimateMemory(l)
	}
	for i := range s.changes {
		bytes += stream.EstimateMemory(s.changes[i].before)
	}
	if st := s.transcript; st != nil {
		bytes += 200 * (len(st.roots) + len(st.parents))
		for i := range st.prompts {
			bytes += stream.EstimateMemory(st.prompts[i].list)
		}
	}
	s.c.held += bytes - s.held
	s.held = bytes
	s.c.forgetOldSessions()
}

// forgetOldSessions drops what the session keeps that had no line for the longest, if they keep too much.
// Should it continue after all, its list is as unknown as that of a session that began before the
// input, and what was saved of it is asked for again.
func (c *Parser) forgetOldSessions() {
	for len(c.listed) > maxListed || c.held > stream.MaxHistory {
		oldest := -1
		for i, s := range c.listed {
			if s != c.Now && (oldest < 0 || s.LastLine < c.listed[oldest].LastLine) {
				oldest = i
			}
		}
		if oldest < 0 {
			c.Now.forgetHistory()
			return
		}
		old := c.listed[oldest]
		c.listed = slices.Delete(c.listed, oldest, oldest+1)
		c.held -= old.held
		old.held, old.tasks, old.changes, old.lists, old.subs = 0, nil, nil, nil, nil
		if st := old.transcript; st != nil {
			st.prompts, st.roots, st.started, st.parents = nil, nil, nil, nil
		}
	}
}

// forgetLeft reports whether a session is left, and gives the room that it took to others.
func (c *Parser) forgetLeft(s *Session) bool {
	if s.Abandoned {
		c.held -= s.held
	}
	return s.Abandoned
}

// forgetHistory leaves a session nothing but its lists as they are.
func (s *Session) forgetHistory() {
	s.changes = nil
	if st := s.transcript; st != nil {
		st.prompts, st.roots = nil, nil
	}
	s.c.held -= s.held
	s.held = 0
}
