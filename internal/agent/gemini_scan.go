package agent

func (l *geminiLine) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		l.Type = k.readWord()
	case "session_id":
		l.SessionID = k.readWord()
	case "timestamp":
		l.Timestamp = k.readWord()
	case "role":
		l.Role = k.readWord()
	case "content":
		l.Content = k.readWord()
	case "delta":
		l.Delta = k.readTruth()
	case "tool_name":
		l.ToolName = k.readWord()
	case "tool_id":
		l.ToolID = k.readWord()
	case "parameters":
		l.Parameters = k.value()
	case "status":
		l.Status = k.readWord()
	case "output":
		l.Output = k.readWord()
	case "error":
		k.members(func(name []byte) { l.Error.member(name, k) })
	default:
		k.skip()
	}
}

func (e *geminiError) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		e.Type = k.readWord()
	case "message":
		e.Message = k.readWord()
	default:
		k.skip()
	}
}
