package agent

// qwen reads `qwen -p --output-format stream-json`. Its lines are those of Claude Code, one message
// a line with all its blocks; its todo tool, its errors and the ends of its turns are its own.
//
// Every line names its session, so sessions that run side by side are kept apart.
type qwen struct{ several[*qwenSession] }

var qwenLines = []lineType{
	{"system", unmarked},
	{"assistant", "session_id message parent_tool_use_id"},
	{"user", unmarked},
	{"result", unmarked},
	{"stream_event", unmarked},
	{"control_request", unmarked},
	{"control_response", unmarked},
	{"control_cancel_request", unmarked},
}

// detectQwen knows the first line of a session, and calls of the todo tool; the others look like
// Claude Code's, which is asked before.
func detectQwen(l *line) bool {
	switch string(l.typ) {
	case "assistant":
		return !l.has("sessionId") && l.callsTool(isQwenTool)
	case "system":
		return string(l.word("subtype")) == "init" && l.has("session_id") &&
			(l.has("qwen_code_version") || l.has("permission_mode") && !l.has("claude_code_version"))
	}
	return false
}

func (q *qwen) read(in *line) error {
	l := new(claudeLineOf(in))
	if q.now != nil && q.find(l.session) == nil && q.r.elsewhere(q.a, in) {
		return errForeign
	}
	if q.now == nil {
		q.session(l.session)
	}
	switch string(l.typ) {
	case "system":
		if l.subtype() == "init" {
			q.init(l)
		}
	case "assistant":
		q.assistant(l)
	case "user":
		q.user(l)
	case "result":
		q.session(l.session).result(l)
	}
	return nil
}

// session goes to the session of a line that means something.
func (q *qwen) session(id word) *qwenSession {
	s := q.find(id)
	if s == nil {
		s = &qwenSession{stream: q.mistaken(id)}
		if s.stream == nil {
			s.stream = q.r.session(q.a, string(id))
		}
	}
	return q.enter(s)
}

func (q *qwen) init(l *claudeLine) {
	if old := q.now; old.id != string(l.session) {
		old.endTurns() // another run: what is open in the one before stays open
	}
	s := q.session(l.session)
	s.offers(l)
	if s.newest() != nil && !s.begun {
		return // init was repeated before the turn's first message
	}
	s.stop()
	s.begin(0)
}

// qwenTool writes the whole list.
const qwenTool = "todo_write"

func isQwenTool(name word) bool { return string(name) == qwenTool }

func (q *qwen) assistant(l *claudeLine) {
	s, sub := q.find(l.session), len(l.parent) > 0
	if s == nil || l.uses() || !s.begun || sub && !s.subs {
		s = q.session(l.session)
		s.current(0)
		s.begun = true
		s.subs = s.subs || sub
	}
	for b := range l.content.blocks() {
		switch name := string(b.word("name")); {
		case !b.is("tool_use"):
		case name == qwenTool:
			s.show(todoCall{
				id: string(b.word("id")), tool: qwenTool, sub: SubAgentName(string(l.parent)), parent: string(l.parent), input: b.member("input").raw(),
			})
		case !sub && name != "tool_search": // that only loads tools
			s.current(0).tools++
			s.subs = s.subs || name == "agent" || name == "task"
		}
	}
}

func (q *qwen) user(l *claudeLine) {
	s := q.find(l.session)
	if s == nil {
		return
	}
	for b := range l.content.blocks() {
		if !b.is("tool_result") {
			continue
		}
		if call, ok := s.popCall(b.word("tool_use_id")); ok {
			q.now = s
			s.applyQwenResult(call, b.isTrue("is_error"), b.member("content").contentText(), 0)
		}
	}
}
