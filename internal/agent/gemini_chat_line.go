package agent

// chatLine is a message, the session's data or a change of it.
type chatLine struct {
	session  word
	kind     word
	messages value
	rewindTo word
	set      value
	uuid     word
	chatMessage
}

type chatMessage struct {
	id        word
	typ       word
	timestamp word
	content   blocks
	calls     []chatCall
}

type chatCall struct {
	id      word
	name    word
	args    value
	status  word
	result  value
	display value
}

func (l *chatLine) members(m *members) {
	m.word("sessionId", &l.session)
	m.word("kind", &l.kind)
	m.value("messages", &l.messages)
	m.word("$rewindTo", &l.rewindTo)
	m.value("$set", &l.set)
	m.word("uuid", &l.uuid)
	l.chatMessage.members(m)
}

func (c *chatMessage) members(m *members) {
	m.word("id", &c.id)
	m.word("timestamp", &c.timestamp)
	m.word("type", &c.typ)
	m.member("content", c.content.scan)
	m.member("toolCalls", c.scanCalls)
}

func (c *chatMessage) scanCalls(k *walker) {
	c.calls = nil
	k.objects(maxBlocks, func() {
		var call chatCall
		k.members(call.members)
		c.calls = append(c.calls, call)
	})
}

func (c *chatCall) members(m *members) {
	m.word("id", &c.id)
	m.word("name", &c.name)
	m.value("args", &c.args)
	m.value("result", &c.result)
	m.word("status", &c.status)
	m.value("resultDisplay", &c.display)
}

// said returns the text of a result: [{"functionResponse":{"response":{"output" or "error": …}}}].
func (c *chatCall) said() string {
	k := walker{b: c.result}
	if k.peek() != '[' {
		return ""
	}
	for k.array(); k.element(); {
		response := k.value().member("functionResponse", "response")
		if said := string(response.member("output").text()) + string(response.member("error").text()); said != "" {
			return said
		}
	}
	return ""
}
