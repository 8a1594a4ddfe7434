package agent

// opencodeLine is what we need of a line.
type opencodeLine struct {
	typ       word
	timestamp word
	sessionID word
	part      opencodePart
	failed    value // why the turn failed
}

type opencodePart struct {
	sessionID word
	tool      word
	callID    word
	state     opencodeState
	text      value
	reason    word
	tokens    value // of a step
	cost      word  // of a step, in US dollars
}

// opencodeState is how far a call is.
type opencodeState struct {
	status   word
	input    value
	metadata value
	failed   value
}

func (l *opencodeLine) members(m *members) {
	m.word("type", &l.typ)
	m.word("timestamp", &l.timestamp)
	m.word("sessionID", &l.sessionID)
	m.object("part", l.part.members)
	m.value("error", &l.failed)
}

func (p *opencodePart) members(m *members) {
	m.word("sessionID", &p.sessionID)
	m.word("tool", &p.tool)
	m.word("callID", &p.callID)
	m.object("state", p.state.members)
	m.value("text", &p.text)
	m.word("reason", &p.reason)
	m.value("tokens", &p.tokens)
	m.word("cost", &p.cost)
}

func (s *opencodeState) members(m *members) {
	m.word("status", &s.status)
	m.value("input", &s.input)
	m.value("metadata", &s.metadata)
	m.value("error", &s.failed)
}
