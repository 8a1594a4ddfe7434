package agent

import "bytes"

// passes leaves out the bulk of a stream: partial messages, tool outputs, texts, notices.
func (c *claude) passes(typ, line []byte) bool {
	switch string(typ) {
	case "assistant":
		return c.passesAssistant(line)
	case "user":
		return c.passesUser(line)
	case "system":
		return passesSystem(line)
	case "stream_event", "tool_progress", "tool_use_summary", "rate_limit_event", "auth_status",
		"prompt_suggestion", "control_request", "control_response", "control_cancel_request", "keep_alive":
		return true
	}
	return false
}

// passesAssistant leaves out messages that call no tool.
// The first one of a turn is decoded, since it may be the turn's only beginning.
func (c *claude) passesAssistant(line []byte) bool {
	if !c.now.begun() {
		return false
	}
	k := walker{b: line}
	if !k.enter('{') {
		return false
	}
	for name, more := k.key(); more; name, more = k.key() {
		switch string(name) {
		case "session_id":
			if id, ok := k.word(); !ok || string(id) != c.now.id {
				return false
			}
		case "error", "aborted", "supersedes":
			if !k.null() {
				return false
			}
		case "message":
			if hasBlock(&k, isToolUse) {
				return false
			}
		default:
			k.skip()
		}
	}
	return !k.bad
}

// passesUser leaves out tool results that nobody waits for.
func (c *claude) passesUser(line []byte) bool {
	if c.waiting > 0 {
		return false
	}
	k := walker{b: line}
	if !k.enter('{') {
		return false
	}
	for name, more := k.key(); more; name, more = k.key() {
		if string(name) == "message" {
			return !hasBlock(&k, isInterrupt) && !k.bad
		}
		k.skip()
	}
	return !k.bad
}

func isToolUse(typ, _ []byte) bool { return string(typ) == "tool_use" }

// isInterrupt errs towards true where an escape sequence stands in the first bytes.
func isInterrupt(typ, text []byte) bool {
	if string(typ) != "text" {
		return false
	}
	start := text[:min(len(text), len(interruptMark))]
	return bytes.IndexByte(start, '\\') >= 0 || string(start) == interruptMark
}

// hasBlock steps over a message and reports whether one of its blocks fits. It may stop in the middle if so.
func hasBlock(k *walker, fits func(typ, text []byte) bool) bool {
	if !k.enter('{') {
		k.skip()
		return false
	}
	for name, more := k.key(); more; name, more = k.key() {
		if string(name) != "content" {
			k.skip()
			continue
		}
		if text, ok := k.raw(); ok {
			if fits([]byte("text"), text) {
				return true
			}
			continue
		}
		if !k.enter('[') {
			k.skip()
			continue
		}
		for k.element() {
			if !k.enter('{') {
				k.skip()
				continue
			}
			var typ, text []byte
			for name, more := k.key(); more; name, more = k.key() {
				switch {
				case string(name) == "type" && k.peek() == '"':
					typ, _ = k.word()
				case string(name) == "text" && k.peek() == '"':
					text, _ = k.raw()
				default:
					k.skip()
				}
			}
			if fits(typ, text) {
				return true
			}
		}
	}
	return false
}

func passesSystem(line []byte) bool {
	k := walker{b: line}
	if !k.enter('{') {
		return false
	}
	for name, more := k.key(); more; name, more = k.key() {
		if string(name) == "subtype" {
			subtype, ok := k.word()
			if !ok {
				return false
			}
			switch string(subtype) {
			case "init", "task_started", "model_refusal_fallback":
				return false
			}
			return true
		}
		k.skip()
	}
	return false
}
