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
}

// opencodeState is how far a call is.
type opencodeState struct {
	status   word
	input    value
	metadata value
	failed   value
}

func (l *opencodeLine) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "type":
			l.typ = k.word()
		case "timestamp":
			l.timestamp = k.word()
		case "sessionID":
			l.sessionID = k.word()
		case "part":
			l.part.scan(k)
		case "error":
			l.failed = k.value()
		default:
			k.skip()
		}
	}
}

func (p *opencodePart) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "sessionID":
			p.sessionID = k.word()
		case "tool":
			p.tool = k.word()
		case "callID":
			p.callID = k.word()
		case "state":
			p.state.scan(k)
		case "text":
			p.text = k.value()
		case "reason":
			p.reason = k.word()
		default:
			k.skip()
		}
	}
}

func (s *opencodeState) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "status":
			s.status = k.word()
		case "input":
			s.input = k.value()
		case "metadata":
			s.metadata = k.value()
		case "error":
			s.failed = k.value()
		default:
			k.skip()
		}
	}
}
