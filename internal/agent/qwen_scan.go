package agent

// hasToolUse steps over a message and reports whether it calls a tool. It may stop in the middle if so.
func hasToolUse(w *walker) bool {
	if !w.enter('{') {
		w.skip()
		return false
	}
	for name, more := w.key(); more; name, more = w.key() {
		if string(name) != "content" || !w.enter('[') {
			w.skip()
			continue
		}
		for w.element() {
			if !w.enter('{') {
				w.skip()
				continue
			}
			for name, more := w.key(); more; name, more = w.key() {
				if string(name) != "type" {
					w.skip()
				} else if string(w.wordOrNull()) == "tool_use" {
					return true
				}
			}
		}
	}
	return false
}

// passesNotice leaves out the program's notices, all but the first line of a run.
func passesNotice(line []byte) bool {
	w := walker{b: line}
	if !w.enter('{') {
		return false
	}
	for name, more := w.key(); more; name, more = w.key() {
		if string(name) == "subtype" {
			subtype, ok := w.word()
			return ok && string(subtype) != "init"
		}
		w.skip()
	}
	return false
}

func (l *qwenLine) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		l.Type = k.readWord()
	case "subtype":
		l.Subtype = k.readWord()
	case "session_id":
		l.Session = k.readWord()
	case "parent_tool_use_id":
		l.Parent = k.readWord()
	case "message":
		k.members(func(name []byte) { l.Message.member(name, k) })
	case "tools":
		l.Tools = k.readWords()
	case "is_error":
		l.IsError = k.readTruth()
	case "error":
		l.Error.scan(k)
	case "duration_ms":
		l.Duration = k.readWord()
	case "result":
		l.Result = k.readWord()
	default:
		k.skip()
	}
}

func (e *qwenError) scan(k *walker) {
	if k.peek() == '"' {
		e.Message = k.readWord()
		return
	}
	k.members(func(name []byte) {
		switch string(name) {
		case "type":
			e.Type = k.readWord()
		case "message":
			e.Message = k.readWord()
		default:
			k.skip()
		}
	})
}
