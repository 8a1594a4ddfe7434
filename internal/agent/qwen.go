package agent

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// qwen reads `qwen -p --output-format stream-json`. Its lines are those of Claude Code, one message a line with all its blocks;
// its todo tool, its errors and the ends of its turns are its own.
//
// Every line names its session, so sessions that run side by side are kept apart.
type qwen struct {
	r        *Reader
	a        *adapter
	now      *qwenSession // of the last line that was decoded and meant something
	sessions map[string]*qwenSession
	active   []*qwenSession // those with lines since the last stop
	waiting  []*qwenSession // those with a call that waits for its result, and some that had one
}

// qwenLine is what we need of a line.
type qwenLine struct {
	Type     word          `json:"type"`
	Subtype  word          `json:"subtype"`
	Session  word          `json:"session_id"`
	Parent   word          `json:"parent_tool_use_id"`
	Message  claudeMessage `json:"message"`
	Tools    words         `json:"tools"`
	IsError  truth         `json:"is_error"`
	Error    qwenError     `json:"error"`
	Duration word          `json:"duration_ms"`
	Result   word          `json:"result"`
}

type qwenError struct {
	Type    word `json:"type"`
	Message word `json:"message"`
}

func (e *qwenError) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain qwenError
	if d.PeekKind() == jsontext.KindString {
		return json.UnmarshalDecode(d, &e.Message)
	}
	return objectOrNothing(d, (*plain)(e))
}

func openQwen(r *Reader, a *adapter) parser {
	return &qwen{r: r, a: a, sessions: make(map[string]*qwenSession)}
}

// detectQwen knows the first line of a session; the others look like Claude Code's.
func detectQwen(h *head) bool {
	return h.typ == "system" && h.subtype == "init" && h.has("session_id") &&
		(h.has("qwen_code_version") || h.has("permission_mode") && !h.has("claude_code_version"))
}

func (q *qwen) knows(typ string) bool {
	switch typ {
	case "system", "assistant", "user", "result", "stream_event",
		"control_request", "control_response", "control_cancel_request":
		return true
	}
	return false
}

func (q *qwen) stream() *stream { return q.now.stream }

// skim leaves out partial messages, texts and the results of calls that nobody waits for.
func (q *qwen) skim(line []byte) bool {
	typ, _ := quickType(line)
	if string(typ) == "error" {
		return false // it may be all that another agent prints
	}
	switch string(typ) {
	case "assistant":
		return q.passesAssistant(line)
	case "user":
		return !q.waits()
	case "system":
		return passesNotice(line)
	case "stream_event", "control_request", "control_response", "control_cancel_request":
		return true
	}
	return false
}

// waits reports whether any session waits for a result.
func (q *qwen) waits() bool {
	q.waiting = slices.DeleteFunc(q.waiting, func(s *qwenSession) bool { return len(s.calls) == 0 })
	return len(q.waiting) > 0
}

func (q *qwen) passesAssistant(line []byte) bool {
	if !q.now.begun {
		return false
	}
	w := walker{b: line}
	if !w.enter('{') {
		return false
	}
	for name, more := w.key(); more; name, more = w.key() {
		switch string(name) {
		case "session_id":
			if id, ok := w.word(); !ok || string(id) != q.now.id {
				return false
			}
		case "parent_tool_use_id":
			if !w.null() && !q.now.subs {
				return false
			}
		case "message":
			if hasToolUse(&w) {
				return false
			}
		default:
			w.skip()
		}
	}
	return !w.bad
}

func (q *qwen) read(line []byte) error {
	var l qwenLine
	if err := decode(line, &l, q.r.decodeAll); err != nil {
		return err
	}
	if q.now == nil {
		q.session(&l)
	}
	switch l.Type {
	case "system":
		if l.Subtype == "init" {
			q.init(&l)
		}
	case "assistant":
		q.assistant(&l)
	case "user":
		q.user(&l)
	case "result":
		q.session(&l).result(&l)
	}
	return nil
}

// session goes to the line's session; it is called for lines that mean something only.
func (q *qwen) session(l *qwenLine) *qwenSession {
	s := q.find(l)
	if s == nil {
		s = &qwenSession{stream: q.r.session(q.a, string(l.Session))}
		q.sessions[string(l.Session)] = s
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
	if l.Session == "" && q.now != nil {
		return q.now
	}
	return q.sessions[string(l.Session)]
}

func (q *qwen) init(l *qwenLine) {
	if old := q.now; old.id != string(l.Session) {
		old.stop() // another run: what is open in the one before stays open
	}
	s := q.session(l)
	if len(l.Tools) > 0 && s.sum.TodoTool == TodoToolUnknown {
		s.sum.TodoTool = TodoToolOff
		for _, name := range l.Tools {
			if name == qwenTool {
				s.sum.TodoTool = TodoToolOn
			}
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
	uses := false
	for i := range l.Message.Content {
		uses = uses || l.Message.Content[i].Type == "tool_use"
	}
	if s == nil || uses || !s.begun || l.Parent != "" && !s.subs {
		s = q.session(l)
		s.current(0)
		s.begun = true
		s.subs = s.subs || l.Parent != ""
	}
	for i := range l.Message.Content {
		b := &l.Message.Content[i]
		switch {
		case b.Type != "tool_use":
		case b.Name == qwenTool:
			call := todoCall{id: string(b.ID), tool: qwenTool, parent: string(l.Parent), input: slices.Clone(b.Input)}
			if l.Parent != "" {
				call.sub = SubAgentName(string(l.Parent))
			}
			if !q.waits() || !slices.Contains(q.waiting, s) {
				q.waiting = append(q.waiting, s)
			}
			s.calls.add(s.stream, call)
		case l.Parent == "" && b.Name != "tool_search": // that only loads tools
			s.current(0).tools++
			s.subs = s.subs || b.Name == "agent" || b.Name == "task"
		}
	}
}

func (q *qwen) user(l *qwenLine) {
	s := q.find(l)
	if s == nil {
		return
	}
	for i := range l.Message.Content {
		b := &l.Message.Content[i]
		if b.Type != "tool_result" {
			continue
		}
		if call, ok := s.calls.take(string(b.ToolUseID)); ok {
			q.now = s
			s.answer(call, bool(b.IsError), b.resultText())
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
