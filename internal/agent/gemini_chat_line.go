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

func (l *chatLine) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "sessionId":
			l.session = k.word()
		case "kind":
			l.kind = k.word()
		case "messages":
			l.messages = k.value()
		case "$rewindTo":
			l.rewindTo = k.word()
		case "$set":
			l.set = k.value()
		case "uuid":
			l.uuid = k.word()
		default:
			l.scanMember(name, k)
		}
	}
}

func (m *chatMessage) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		m.scanMember(name, k)
	}
}

func (m *chatMessage) scanMember(name []byte, k *walker) {
	switch string(name) {
	case "id":
		m.id = k.word()
	case "type":
		m.typ = k.word()
	case "timestamp":
		m.timestamp = k.word()
	case "content":
		m.content.scan(k)
	case "toolCalls":
		m.scanCalls(k)
	default:
		k.skip()
	}
}

func (m *chatMessage) scanCalls(k *walker) {
	m.calls = nil
	if !k.array() {
		return
	}
	for k.element() {
		if k.peek() != '{' || len(m.calls) == maxBlocks {
			k.skip()
			continue
		}
		var call chatCall
		for name, more := k.object(); more; name, more = k.key() {
			switch string(name) {
			case "id":
				call.id = k.word()
			case "name":
				call.name = k.word()
			case "args":
				call.args = k.value()
			case "status":
				call.status = k.word()
			case "result":
				call.result = k.value()
			case "resultDisplay":
				call.display = k.value()
			default:
				k.skip()
			}
		}
		m.calls = append(m.calls, call)
	}
}

// said gives the text of a result: [{"functionResponse":{"response":{"output" or "error": …}}}].
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
