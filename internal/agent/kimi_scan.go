package agent

func (l *kimiLine) member(name []byte, k *walker) {
	switch string(name) {
	case "role":
		l.Role = k.readWord()
	case "type":
		l.Type = k.readWord()
	case "content":
		l.Content.scan(k)
	case "tool_calls":
		l.ToolCalls.scan(k)
	case "tool_call_id":
		l.ToolCallID = k.readWord()
	case "session_id":
		l.Session = k.readWord()
	default:
		k.skip()
	}
}

func (l *kimiCalls) scan(k *walker) {
	*l = nil
	k.objects(func() {
		var call kimiCall
		k.members(func(name []byte) { call.member(name, k) })
		*l = append(*l, call)
	})
}

func (c *kimiCall) member(name []byte, k *walker) {
	switch string(name) {
	case "id":
		c.ID = k.readWord()
	case "function":
		k.members(func(name []byte) { c.Function.member(name, k) })
	default:
		k.skip()
	}
}

func (f *kimiFunction) member(name []byte, k *walker) {
	switch string(name) {
	case "name":
		f.Name = k.readWord()
	case "arguments":
		f.Arguments = k.value()
	default:
		k.skip()
	}
}
