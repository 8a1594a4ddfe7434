package agent

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
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
	order    []*qwenSession
}

// qwenSession is one session. Init begins a turn, and result ends it.
type qwenSession struct {
	*stream
	calls todoCalls
	begun bool // the open turn has a message of the model
	subs  bool // the open turn has a sub-agent
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

// passes leaves out partial messages, texts and the results of calls that nobody waits for.
func (q *qwen) passes(typ, line []byte) bool {
	switch string(typ) {
	case "assistant":
		return q.passesAssistant(line)
	case "user":
		for _, s := range q.order {
			if len(s.calls) > 0 {
				return false
			}
		}
		return true
	case "system":
		return passesSystem(line)
	case "stream_event", "control_request", "control_response", "control_cancel_request":
		return true
	}
	return false
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
			if hasBlock(&w, isToolUse) {
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
	if err := json.Unmarshal(line, &l); err != nil {
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
		q.order = append(q.order, s)
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
			call := todoCall{id: string(b.ID), tool: qwenTool, parent: string(l.Parent), input: b.Input}
			if l.Parent != "" {
				call.sub = SubAgentName(string(l.Parent))
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

// answer applies a call whose result has come. A call that a hook of the user refused, or that could not be written,
// is no error to Qwen Code; only the text tells. The text of an accepted one holds the list as it was stored.
func (s *qwenSession) answer(call todoCall, failed bool, text string) {
	refused := false
	for _, start := range []string{"Failed to modify todos", "Error writing todos", "Todo creation blocked", "Todo completion blocked"} {
		refused = refused || strings.HasPrefix(text, start)
	}
	if failed || refused {
		// What init said goes first: a call is checked before it is found that the tool is not there,
		// and a sub-agent may lack the tool where the main agent has it.
		missing := s.sum.TodoTool == TodoToolOff ||
			failed && call.sub == "" && isQwenMissing(text)
		s.rejected(missing)
		return
	}
	native := qwenStored(text)
	if native == nil {
		in, _ := object[nativeList](call.input)
		native = in.Todos
	}
	if native == nil {
		s.warn("%s was accepted, but holds no list", quote(call.id))
		return
	}
	s.list(Update{SubAgent: call.sub, Parent: call.parent, TodoID: call.id}, s.items(native))
}

// isQwenMissing reports whether a refusal says that there is no such tool, or that it may not be used.
func isQwenMissing(text string) bool {
	return strings.Contains(text, "not found in registry") || strings.Contains(text, "disabled by default") || strings.Contains(text, "deny rule")
}

// qwenStored finds the list that a result quotes. A long text may be cut, and then there is none.
func qwenStored(text string) nativeItems {
	_, rest, ok := strings.Cut(text, "latest contents of your todo list:")
	if !ok {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewBufferString(rest))
	if d.PeekKind() != jsontext.KindBeginArray {
		return nil
	}
	v, err := d.ReadValue()
	if err != nil {
		return nil
	}
	var native nativeItems
	if json.Unmarshal(v, &native) != nil {
		return nil
	}
	return native
}

// result ends the turn. A sub-agent that fails prints one too, which does not name it:
// it is told by its duration, which no real turn with a sub-agent has.
// A failure of the API is a success to Qwen Code: the message in brackets is all that tells.
func (s *qwenSession) result(l *qwenLine) {
	if bool(l.IsError) && s.subs && l.Duration == "0" {
		return
	}
	t := s.current(0)
	t.text.reset()
	t.text.add(string(l.Result))
	status := continuation.Done
	const apiError = "[API Error: "
	if bool(l.IsError) || strings.HasPrefix(string(l.Result), apiError) || strings.Contains(string(l.Result), "\n"+apiError) {
		status = continuation.Failed
		text := string(cmp.Or(l.Error.Message, l.Result))
		if strings.HasPrefix(text, "Operation cancelled") || l.Error.Type == "FatalCancellationError" {
			status = continuation.Aborted
		}
		t.failure = failure{code: spokenStatus(text), kind: string(l.Error.Type + " " + l.Subtype), text: text}
		if rest, ok := strings.CutPrefix(text, apiError); ok && t.failure.code == 0 {
			t.failure.code = spokenStatus("status " + rest)
		}
	}
	s.calls.drop(s.stream)
	s.end(status, 0)
	s.begun, s.subs = false, false
}

func (s *qwenSession) stop() {
	s.calls.drop(s.stream)
	s.cut()
	s.begun, s.subs = false, false
}

func (q *qwen) stop() {
	for _, s := range q.order {
		s.stop()
	}
}
