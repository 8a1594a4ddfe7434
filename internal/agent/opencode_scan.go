package agent

func (l *opencodeLine) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		l.Type = k.readWord()
	case "timestamp":
		l.Timestamp = k.readWord()
	case "sessionID":
		l.SessionID = k.readWord()
	case "part":
		k.objectOrNull(func(name []byte) { l.Part.member(name, k) })
	case "error":
		l.Error.scan(k)
	default:
		k.skip()
	}
}

func (p *opencodePart) member(name []byte, k *walker) {
	switch string(name) {
	case "sessionID":
		p.SessionID = k.readWord()
	case "tool":
		p.Tool = k.readWord()
	case "callID":
		p.CallID = k.readWord()
	case "state":
		k.members(func(name []byte) { p.State.member(name, k) })
	case "text":
		p.Text = k.readWord()
	case "reason":
		p.Reason = k.readWord()
	default:
		k.skip()
	}
}

func (s *opencodeState) member(name []byte, k *walker) {
	switch string(name) {
	case "status":
		s.Status = k.readWord()
	case "input":
		s.Input = k.value()
	case "metadata":
		s.Metadata = k.value()
	case "error":
		s.Error = k.readWord()
	default:
		k.skip()
	}
}

func (e *opencodeError) scan(k *walker) {
	if k.peek() == '"' {
		e.Text = k.readWord()
		return
	}
	k.members(func(name []byte) {
		switch string(name) {
		case "name":
			e.Name = k.readWord()
		case "data":
			k.members(func(name []byte) { e.Data.member(name, k) })
		case "message":
			e.Text = k.readWord()
		default:
			k.skip()
		}
	})
}

func (e *opencodeErrorData) member(name []byte, k *walker) {
	switch string(name) {
	case "message":
		e.Message = k.readWord()
	case "statusCode":
		e.StatusCode = k.readWord()
	default:
		k.skip()
	}
}
