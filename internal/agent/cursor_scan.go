package agent

func (l *cursorLine) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		l.Type = k.readWord()
	case "subtype":
		l.Subtype = k.readWord()
	case "session_id":
		l.Session = k.readWord()
	case "timestamp_ms":
		l.Timestamp = k.readWord()
	case "call_id":
		l.CallID = k.readWord()
	case "tool_call":
		l.ToolCall = k.value()
	case "is_error":
		l.IsError = k.readTruth()
	case "result":
		l.Result = k.readWord()
	default:
		k.skip()
	}
}

func (c *cursorCall) member(name []byte, k *walker) {
	switch string(name) {
	case "args":
		k.members(func(name []byte) { c.Args.member(name, k) })
	case "result":
		c.Result = k.value()
	case "name":
		c.Name = k.readWord()
	default:
		k.skip()
	}
}

func (t *cursorTodos) member(name []byte, k *walker) {
	switch string(name) {
	case "todos":
		t.Todos.scan(k)
	case "finalTodos":
		t.Final.scan(k)
	case "merge":
		t.Merge = k.readTruth()
	default:
		k.skip()
	}
}
