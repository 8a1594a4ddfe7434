package agent

// Qwen Code's lines but the first are like Claude Code's. A stream without the first one is mistaken for Claude Code's,
// until it calls the todo tool that only Qwen Code has: it is Qwen Code's from there on.

// isQwen reports whether the line calls Qwen Code's todo tool.
func (l *claudeLine) isQwen() bool {
	return l.is("assistant") && l.callsTool(isQwenTool)
}

// allowsQwen reports whether nothing proves that the line's session is Claude Code's.
func (c *claude) allowsQwen(l *claudeLine) bool {
	s := c.find(l.session)
	return (s == nil || !s.certain) && c.r.opt.Format != Claude
}

// mistaken returns the session that was taken for Claude Code's, or nil.
func (q *qwen) mistaken(id word) *stream {
	for i := range q.r.adapters {
		c, ok := q.r.parsers[i].(*claude)
		if !ok {
			continue
		}
		if s := c.sessions[string(id)]; s != nil && !s.certain {
			c.abandon(s.stream)
			if c.now == s {
				c.now = nil
			}
			s.move(q.a)
			return s.stream
		}
	}
	return nil
}

// move makes the session another agent's.
func (s *stream) move(a *adapter) {
	delete(s.r.sessions, s.a.key(s.id, s.sub))
	s.a, s.opened = a, a.format
	s.sum.Kind, s.sum.Format = a.kind, a.format
	s.r.sessions[a.key(s.id, s.sub)] = s
}
