package agent

func (l *acpLine) member(name []byte, k *walker) {
	switch string(name) {
	case "jsonrpc":
		l.RPC = k.readWord()
	case "id":
		l.ID = k.readWord()
	case "method":
		l.Method = k.readWord()
	case "params":
		k.members(func(name []byte) { l.Params.member(name, k) })
	case "result":
		k.members(func(name []byte) { l.Result.member(name, k) })
	case "error":
		k.members(func(name []byte) { l.Error.member(name, k) })
	default:
		k.skip()
	}
}

func (p *acpParams) member(name []byte, k *walker) {
	switch string(name) {
	case "sessionId":
		p.Session = k.readWord()
	case "update":
		k.members(func(name []byte) { p.Update.member(name, k) })
	default:
		k.skip()
	}
}

func (u *acpUpdate) member(name []byte, k *walker) {
	switch string(name) {
	case "sessionUpdate":
		u.Kind = k.readWord()
	case "entries":
		u.Entries.scan(k)
	case "plan":
		k.members(func(name []byte) { u.Plan.member(name, k) })
	case "planId":
		u.PlanID = k.readWord()
	case "id":
		u.ID = k.readWord()
	case "toolCallId":
		u.ToolCallID = k.readWord()
	case "title":
		u.Title = k.readWord()
	case "status":
		u.Status = k.readWord()
	case "rawInput":
		u.RawInput = k.value()
	case "rawOutput":
		u.RawOutput = k.value()
	case "_meta":
		k.members(func(name []byte) { u.Meta.member(name, k) })
	case "messageId":
		u.MessageID = k.readWord()
	case "content":
		u.Content = k.value()
	case "state":
		u.State = k.readWord()
	case "stopReason":
		u.StopReason = k.readWord()
	default:
		k.skip()
	}
}

func (m *acpMeta) member(name []byte, k *walker) {
	switch string(name) {
	case "toolName":
		m.Tool = k.readWord()
	case "parentToolCallId":
		m.Parent = k.readWord()
	default:
		k.skip()
	}
}

func (p *acpPlanUpdate) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		p.Type = k.readWord()
	case "planId":
		p.PlanID = k.readWord()
	case "id":
		p.ID = k.readWord()
	case "entries":
		p.Entries.scan(k)
	default:
		k.skip()
	}
}

func (r *acpResult) member(name []byte, k *walker) {
	switch string(name) {
	case "stopReason":
		r.StopReason = k.readWord()
	case "protocolVersion":
		r.Version = k.readWord()
	default:
		k.skip()
	}
}

func (e *acpError) member(name []byte, k *walker) {
	switch string(name) {
	case "code":
		e.Code = k.readWord()
	case "message":
		e.Message = k.readWord()
	default:
		k.skip()
	}
}
