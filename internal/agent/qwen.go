package agent

import "slices"

// qwen reads `qwen -p --output-format stream-json`. Its lines are those of Claude Code, one message a line with all its blocks;
// its todo tool, its errors and the ends of its turns are its own.
//
// Every line names its session, so sessions that run side by side are kept apart.
type qwen struct {
	r        *Reader
	a        *adapter
	line     qwenLine     // the one that is being read
	now      *qwenSession // of the last line that was read and meant something
	sessions map[string]*qwenSession
	active   []*qwenSession // those with lines since the last stop
}

// qwenLine is what we need of a line.
type qwenLine struct {
	typ      word
	subtype  word
	session  word
	parent   word
	content  blocks
	tools    bool // the tools are listed
	todoTool bool // the todo tool is one of them
	isError  bool
	judged   bool // whether it is an error is told
	failed   value
	duration word
	says     value
}

func (l *qwenLine) members(m *members) {
	m.word("type", &l.typ)
	m.word("subtype", &l.subtype)
	m.word("session_id", &l.session)
	m.word("parent_tool_use_id", &l.parent)
	m.object("message", func(m *members) { m.member("content", l.content.scan) })
	m.member("tools", func(k *walker) {
		for _, tool := range k.words() {
			l.tools, l.todoTool = true, l.todoTool || tool == qwenTool
		}
	})
	m.member("is_error", func(k *walker) { l.isError, l.judged = k.truth(), true })
	m.value("error", &l.failed)
	m.word("duration_ms", &l.duration)
	m.value("result", &l.says)
}

func openQwen(r *Reader, a *adapter) parser {
	return &qwen{r: r, a: a, sessions: make(map[string]*qwenSession)}
}

// detectQwen knows the first line of a session; the others look like Claude Code's, which is asked before.
func detectQwen(h *head) bool {
	if string(h.typ) == "assistant" {
		return h.has("session_id", "message", "parent_tool_use_id") ||
			!h.has("sessionId") && h.callsTool(func(name word) bool { return string(name) == qwenTool })
	}
	return string(h.typ) == "system" && string(h.subtype) == "init" && h.has("session_id") &&
		(h.has("qwen_code_version") || h.has("permission_mode") && !h.has("claude_code_version"))
}

func (q *qwen) knows(typ []byte) bool {
	switch string(typ) {
	case "system", "assistant", "user", "result", "stream_event",
		"control_request", "control_response", "control_cancel_request":
		return true
	}
	return false
}

func (q *qwen) stream() *stream {
	if q.now == nil {
		return nil
	}
	return q.now.stream
}

func (q *qwen) leave(s *stream) {
	delete(q.sessions, s.id)
	q.active = slices.DeleteFunc(q.active, func(one *qwenSession) bool { return one.stream == s })
}

func (q *qwen) read(line []byte) error {
	l := &q.line
	*l = qwenLine{content: l.content[:0]}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if q.now != nil && q.find(l) == nil && q.r.elsewhere(q.a, l.session, l.typ, l.content) {
		return errForeign
	}
	if q.now == nil {
		q.session(l)
	}
	switch string(l.typ) {
	case "system":
		if string(l.subtype) == "init" {
			q.init(l)
		}
	case "assistant":
		q.assistant(l)
	case "user":
		q.user(l)
	case "result":
		q.session(l).result(l)
	}
	return nil
}

// session goes to the line's session; it is called for lines that mean something only.
func (q *qwen) session(l *qwenLine) *qwenSession {
	s := q.find(l)
	if s == nil {
		s = &qwenSession{stream: q.taken(l.session)}
		if s.stream == nil {
			s.stream = q.r.session(q.a, string(l.session))
		}
		q.sessions[s.id] = s
	}
	if !s.active {
		s.active = true
		q.active = append(q.active, s)
	}
	q.now = s
	return s
}

// find gives the line's session if it is known.
func (q *qwen) find(l *qwenLine) *qwenSession {
	if len(l.session) == 0 && q.now != nil {
		return q.now
	}
	return q.sessions[string(l.session)]
}

func (q *qwen) init(l *qwenLine) {
	if old := q.now; old.id != string(l.session) {
		old.endTurns() // another run: what is open in the one before stays open
	}
	s := q.session(l)
	if l.tools && s.sum.TodoTool == TodoToolUnknown {
		s.sum.TodoTool = TodoToolOff
		if l.todoTool {
			s.sum.TodoTool = TodoToolOn
		}
	}
	if s.newest() != nil && !s.begun {
		return // init was said again before the turn's first message
	}
	s.stop()
	s.begin(0)
}

// qwenTool writes the whole list.
const qwenTool = "todo_write"

func (q *qwen) assistant(l *qwenLine) {
	s := q.find(l)
	uses, sub := false, len(l.parent) > 0
	for i := range l.content {
		uses = uses || l.content[i].is("tool_use")
	}
	if s == nil || uses || !s.begun || sub && !s.subs {
		s = q.session(l)
		s.current(0)
		s.begun = true
		s.subs = s.subs || sub
	}
	for i := range l.content {
		b := &l.content[i]
		switch name := string(b.name); {
		case !b.is("tool_use"):
		case name == qwenTool:
			call := todoCall{id: string(b.id), tool: qwenTool, parent: string(l.parent), input: b.input}
			if sub {
				call.sub = SubAgentName(call.parent)
			}
			s.show(call)
		case !sub && name != "tool_search": // that only loads tools
			s.current(0).tools++
			s.subs = s.subs || name == "agent" || name == "task"
		}
	}
}

func (q *qwen) user(l *qwenLine) {
	s := q.find(l)
	if s == nil {
		return
	}
	for i := range l.content {
		b := &l.content[i]
		if !b.is("tool_result") {
			continue
		}
		if call, ok := s.take(b.toolUseID); ok {
			q.now = s
			s.answer(call, b.isError, b.resultText())
		}
	}
}

func (q *qwen) stop() {
	for _, s := range q.active {
		s.active = false
		s.stop()
	}
	q.active = nil
}
