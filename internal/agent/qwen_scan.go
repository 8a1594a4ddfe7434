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
