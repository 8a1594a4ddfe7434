package agent

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// opencode reads `opencode run --format json`. One run is one turn of several steps.
//
// A call has one line, when it has finished: its state says whether it was accepted.
// No line begins or ends a turn. The first step begins it; a step that does not end with tool calls ends it,
// and so does an error. Newer versions print "done" after that.
type opencode struct {
	r *Reader
	a *adapter
	s *stream

	calls   todoCalls           // shown before they had finished
	counted map[string]struct{} // ids of the turn's tool calls
	refused bool                // a permission was refused in this step, after which no other follows
	between bool                // the last step has ended, and no other has begun
	failed  bool                // the last turn ended with an error, and nothing was said since
}

// opencodeLine is what we need of a line.
type opencodeLine struct {
	Type      word          `json:"type"`
	Timestamp word          `json:"timestamp"`
	SessionID word          `json:"sessionID"`
	Part      opencodePart  `json:"part"`
	Error     opencodeError `json:"error"`
}

type opencodePart struct {
	SessionID word          `json:"sessionID"`
	Tool      word          `json:"tool"`
	CallID    word          `json:"callID"`
	State     opencodeState `json:"state"`
	Text      word          `json:"text"`
	Reason    word          `json:"reason"`
}

type opencodeState struct {
	Status   word           `json:"status"`
	Input    jsontext.Value `json:"input"`
	Metadata jsontext.Value `json:"metadata"`
	Error    word           `json:"error"`
}

func (s *opencodeState) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain opencodeState
	return objectOrNothing(d, (*plain)(s))
}

// opencodeError is why a turn failed; some versions write a bare string.
type opencodeError struct {
	Name word              `json:"name"`
	Data opencodeErrorData `json:"data"`
	Text word              `json:"message"`
}

type opencodeErrorData struct {
	Message    word `json:"message"`
	StatusCode word `json:"statusCode"`
}

func (e *opencodeErrorData) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain opencodeErrorData
	return objectOrNothing(d, (*plain)(e))
}

func (e *opencodeError) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain opencodeError
	if d.PeekKind() == jsontext.KindString {
		return json.UnmarshalDecode(d, &e.Text)
	}
	return objectOrNothing(d, (*plain)(e))
}

func openOpencode(r *Reader, a *adapter) parser { return &opencode{r: r, a: a} }

func detectOpencode(h *head) bool {
	switch h.typ {
	case "step_start", "step_finish", "tool_use", "text", "reasoning":
		return h.has("sessionID", "part")
	case "error":
		return h.has("sessionID", "error")
	case "done":
		return h.has("sessionID", "reason")
	}
	return false
}

func (o *opencode) knows(typ string) bool {
	switch typ {
	case "step_start", "step_finish", "tool_use", "text", "reasoning", "error", "done":
		return true
	}
	return false
}

func (o *opencode) stream() *stream { return o.s }

// skim leaves out what the model thinks, and what it says as long as that is no pause.
func (o *opencode) skim(line []byte) bool {
	typ, _ := quickType(line)
	if string(typ) == "error" {
		return false // it may be all that another agent prints
	}
	reasoning := string(typ) == "reasoning"
	if !reasoning && string(typ) != "text" {
		return false
	}
	same, still := false, reasoning
	w := walker{b: line}
	if !w.enter('{') {
		return false
	}
	for name, more := w.key(); more; name, more = w.key() {
		switch string(name) {
		case "sessionID":
			id, ok := w.word()
			same = ok && string(id) == o.s.id
		case "part":
			if reasoning || !w.enter('{') {
				w.skip()
				continue
			}
			for name, more := w.key(); more; name, more = w.key() {
				if string(name) != "text" {
					w.skip()
					continue
				}
				text, ok := w.raw()
				still = ok && !mayHold(text, pauseMark) && !o.s.pausing()
			}
		default:
			w.skip()
		}
	}
	return same && still && !w.bad
}

func (o *opencode) read(line []byte) error {
	var l opencodeLine
	if err := decode(line, &l, o.r.decodeAll); err != nil {
		return err
	}
	if o.s == nil || l.SessionID != "" && string(l.SessionID) != o.s.id {
		o.stop()
		o.s = o.r.session(o.a, string(l.SessionID))
		o.forget()
	}
	at := millis(l.Timestamp)
	switch l.Type {
	case "step_start":
		o.refused, o.between, o.failed = false, false, false
		if o.s.newest() == nil {
			o.s.begin(at)
		}
	case "tool_use":
		o.failed = false
		o.tool(&l, at)
	case "text":
		if t := o.s.newest(); t != nil && !l.sub() {
			t.text.reset()
			t.text.add(string(l.Part.Text))
		}
	case "step_finish":
		if !l.sub() {
			o.step(string(l.Part.Reason), at)
		}
	case "error":
		o.fail(&l.Error, at)
	case "done":
		if o.s.newest() != nil {
			o.end(continuation.Done, at)
		}
		o.failed = false
	}
	return nil
}

// sub reports whether the part is a sub-agent's, which has a session of its own.
func (l *opencodeLine) sub() bool {
	return l.SessionID != "" && l.Part.SessionID != "" && l.Part.SessionID != l.SessionID
}

func (o *opencode) tool(l *opencodeLine, at todo.Time) {
	p := &l.Part
	t := o.s.current(at)
	switch p.Tool {
	case "todowrite":
		o.write(l, at)
		return
	case "todoread":
		// It only looks, and shows the whole list.
		if list, ok := objectAs[nativeList](p.State.Metadata); ok && p.State.Status == "completed" && list.Todos != nil {
			o.list(l, list.Todos, at)
		}
		return
	case "invalid":
		// Older versions run a call that they refuse as a call of this tool.
		type refused struct {
			Tool  word `json:"tool"`
			Error word `json:"error"`
		}
		if in, ok := objectAs[refused](p.State.Input); ok && in.Tool == "todowrite" {
			o.s.rejected(Call{Tool: "todowrite", ID: string(p.CallID)}, string(in.Error), strings.Contains(string(in.Error), "unavailable tool"))
			return
		}
	}
	if l.sub() {
		return
	}
	if p.State.Status == "error" && strings.Contains(string(p.State.Error), "rejected permission") {
		o.refused = true
	}
	if _, counted := o.counted[string(p.CallID)]; !counted || p.CallID == "" {
		o.counted[string(p.CallID)] = struct{}{}
		t.tools++
	}
}

// write applies a call that has finished.
func (o *opencode) write(l *opencodeLine, at todo.Time) {
	state := &l.Part.State
	switch state.Status {
	case "completed":
		o.calls.take(string(l.Part.CallID))
	case "error":
		o.calls.take(string(l.Part.CallID))
		o.s.rejected(Call{Tool: "todowrite", ID: string(l.Part.CallID)}, string(state.Error), false)
		return
	default:
		o.calls.add(o.s, todoCall{id: string(l.Part.CallID), tool: "todowrite", sub: l.subAgent()})
		return
	}
	list, _ := objectAs[nativeList](state.Metadata)
	if list.Todos == nil {
		list, _ = objectAs[nativeList](state.Input)
	}
	if list.Todos == nil {
		o.s.warn("%s was accepted, but holds no list", quote(string(l.Part.CallID)))
		return
	}
	o.list(l, list.Todos, at)
}

func (l *opencodeLine) subAgent() string {
	if !l.sub() {
		return ""
	}
	return SubAgentName(string(l.Part.SessionID))
}

func (o *opencode) list(l *opencodeLine, native nativeItems, at todo.Time) {
	o.s.list(Update{SubAgent: l.subAgent(), TodoID: string(l.Part.CallID), At: at}, o.s.items(native))
}

// step ends a step, and the turn unless the model waits for the results of its calls.
func (o *opencode) step(reason string, at todo.Time) {
	o.between = true
	t := o.s.current(at)
	switch reason {
	case "tool-calls", "tool_calls", "unknown", "":
	case "error", "content-filter":
		t.failure = failure{kind: reason}
		o.end(continuation.Failed, at)
	default:
		o.end(continuation.Done, at)
	}
}

// fail ends the turn with an error. The server and the command print the same one.
func (o *opencode) fail(e *opencodeError, at todo.Time) {
	if o.failed && o.s.newest() == nil {
		return
	}
	t := o.s.current(at)
	status := continuation.Failed
	switch e.Name {
	case "MessageAbortedError":
		status = continuation.Aborted
	case "ProviderAuthError":
		t.failure.kind = "authentication"
	case "ContextOverflowError":
		t.failure.kind = "context window"
	default:
		t.failure.kind = string(e.Name)
	}
	t.failure.text = string(e.Data.Message + e.Text)
	t.failure.code = spokenStatus("status " + string(e.Data.StatusCode))
	if t.failure.code == 0 {
		t.failure.code = spokenStatus(t.failure.text)
	}
	o.end(status, at)
	o.failed = true
}

func (o *opencode) end(status continuation.TurnStatus, at todo.Time) {
	o.calls.drop(o.s)
	o.s.end(status, at)
	o.forget()
}

func (o *opencode) forget() {
	o.counted = make(map[string]struct{})
	o.refused, o.between, o.failed = false, false, false
}

func (o *opencode) stop() {
	if o.s == nil {
		return
	}
	if o.refused && o.between && o.s.newest() != nil {
		o.end(continuation.Done, 0)
	}
	o.calls.drop(o.s)
	o.s.cut()
	o.forget()
}
