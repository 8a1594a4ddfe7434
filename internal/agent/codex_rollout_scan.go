package agent

import "github.com/go-json-experiment/json/jsontext"

// skim looks at the type of the envelope and that of the payload, which stand at the beginning of the line.
func (c *codexRollout) skim(line []byte) bool {
	k := walker{b: line}
	if !k.enter('{') {
		return false
	}
	var typ []byte
	for name, more := k.key(); more; name, more = k.key() {
		switch string(name) {
		case "type":
			typ, _ = k.word()
			switch string(typ) {
			case "turn_context", "compacted", "world_state", "token_usage_record":
				return true
			}
		case "payload":
			// An envelope has its type before the payload.
			switch string(typ) {
			case "event_msg":
				return k.enter('{') && skimEvent(&k)
			case "response_item":
				return k.enter('{') && c.skimItem(&k)
			}
			return false
		default:
			k.skip()
		}
	}
	return false
}

func skimEvent(k *walker) bool {
	for name, more := k.key(); more; name, more = k.key() {
		if string(name) != "type" {
			k.skip()
			continue
		}
		typ, ok := k.word()
		return ok && !isRolloutEvent(string(typ))
	}
	return false
}

// isRolloutEvent reports whether an event means something to us.
func isRolloutEvent(typ string) bool {
	switch typ {
	case "task_started", "turn_started", "task_complete", "turn_complete", "turn_aborted", "user_message", "error", "plan_update":
		return true
	}
	return false
}

// skimItem follows thoughts, outputs that nobody waits for and calls of other tools.
func (c *codexRollout) skimItem(k *walker) bool {
	var typ, name, id []byte
	for member, more := k.key(); more; member, more = k.key() {
		switch string(member) {
		case "type":
			typ = k.wordOrNull()
			if string(typ) == "reasoning" {
				c.acts()
				return true
			}
		case "name":
			name = k.wordOrNull()
		case "call_id":
			id = k.wordOrNull()
		default:
			k.skip()
		}
		if k.bad {
			return false
		}
		if id != nil && (string(typ) == "function_call_output" || string(typ) == "custom_tool_call_output") {
			if c.find(string(id)) >= 0 {
				return false
			}
			c.settled = false
			return true
		}
	}
	if k.bad || c.s.newest() == nil || len(name) == 0 || string(typ) != "function_call" || string(name) == "update_plan" || string(name) == "exec" {
		return false
	}
	c.acts()
	c.s.newest().tools++
	return true
}

func (l *rolloutLine) member(name []byte, k *walker) {
	switch string(name) {
	case "timestamp":
		l.Timestamp = k.readWord()
	case "record_type":
		l.RecordType = k.readWord()
	case "payload":
		if k.peek() != '{' {
			l.Payload = k.value()
			return
		}
		start := k.i
		l.item = &rolloutItem{}
		k.members(func(name []byte) { l.item.member(name, k) })
		l.Payload = jsontext.Value(k.b[start:k.i])
	default:
		l.rolloutItem.member(name, k)
	}
}

// member reads one member of an item.
func (it *rolloutItem) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		it.Type = k.readWord()
	case "id":
		it.ID = k.readWord()
	case "session_id":
		it.SessionID = k.readWord()
	case "forked_from_id":
		it.ForkedOf = k.readWord()
	case "parent_thread_id":
		it.ParentID = k.readWord()
	case "source":
		it.Source = k.value()
	case "role":
		it.Role = k.readWord()
	case "content":
		it.Content.scan(k)
	case "name":
		it.Name = k.readWord()
	case "call_id":
		it.CallID = k.readWord()
	case "arguments":
		it.Arguments = k.value()
	case "input":
		it.Input = k.value()
	case "output":
		it.Output = k.value()
	case "message":
		it.Message = k.readWord()
	case "last_agent_message":
		it.LastMessage = k.readWord()
	case "plan":
		it.Plan.scan(k)
	default:
		k.skip()
	}
}

func (l *rolloutSteps) scan(k *walker) {
	*l = nil
	if !k.enter('[') {
		k.skip()
		return
	}
	*l = rolloutSteps{}
	for k.element() {
		*l = append(*l, rolloutStep{})
		step := &(*l)[len(*l)-1]
		k.members(func(name []byte) {
			switch string(name) {
			case "step":
				step.Step = k.readWord()
			case "status":
				step.Status = k.readWord()
			default:
				k.skip()
			}
		})
	}
}

func (a *rolloutArguments) member(name []byte, k *walker) {
	if string(name) == "plan" {
		a.Plan.scan(k)
	} else {
		k.skip()
	}
}

func (o *rolloutOutput) member(name []byte, k *walker) {
	switch string(name) {
	case "output":
		o.Output = k.value()
	case "content":
		o.Content = k.value()
	default:
		k.skip()
	}
}
