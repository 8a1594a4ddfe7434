package agent

import (
	"bytes"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// opencode reads `opencode run --format json`. One run is one turn of several steps.
//
// A call has one line, when it has finished: its state shows whether it was accepted.
// No line begins or ends a turn. The first step begins it; a step that does not end with tool calls ends it,
// and so does an error. Newer versions print "done" after that.
type opencode struct {
	single

	line    opencodeLine // the one that is being read
	counted recent       // ids of the turn's tool calls
	refused bool         // a permission was refused in this step, after which no other follows
	between bool         // the last step has ended, and no other has begun
	failed  bool         // the last turn ended with an error, and no message followed
	stopped bool         // the last turn ended with a step, and no message followed
}

var opencodeLines = []lineType{
	{"step_start", "sessionID part"},
	{"step_finish", "sessionID part"},
	{"tool_use", "sessionID part"},
	{"text", "sessionID part"},
	{"reasoning", "sessionID part"},
	{"error", "sessionID error"},
	{"done", "sessionID reason"},
}

func (o *opencode) read(line []byte) error {
	l := &o.line
	*l = opencodeLine{}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if string(l.typ) == "tool_use" && len(l.sessionID) == 0 && len(l.part.tool) == 0 {
		return errForeign
	}
	if o.s == nil || len(l.sessionID) > 0 && string(l.sessionID) != o.s.id {
		o.stop()
		o.s = o.r.session(o.a, string(l.sessionID))
		o.reset()
	}
	o.event(l, millis(l.timestamp))
	return nil
}

// event applies a line.
func (o *opencode) event(l *opencodeLine, at todo.Time) {
	switch string(l.typ) {
	case "step_start":
		o.refused, o.between, o.failed, o.stopped = false, false, false, false
		if o.s.newest() == nil {
			o.s.begin(at)
		}
	case "tool_use":
		o.failed, o.stopped = false, false
		o.tool(l, at)
	case "text":
		if t := o.s.newest(); t != nil && !l.sub() {
			t.recordMessage(l.part.text.text())
		}
	case "step_finish":
		if !l.sub() && !o.stopped { // else the line is duplicated
			o.step(&l.part, at)
		}
	case "error":
		o.fail(l.failed, at)
	case "done":
		if o.s.newest() != nil {
			o.end(continuation.Done, at)
		}
		o.failed = false
	}
}

// sub reports whether the part is a sub-agent's, which has a session of its own.
func (l *opencodeLine) sub() bool {
	return len(l.sessionID) > 0 && len(l.part.sessionID) > 0 && !bytes.Equal(l.part.sessionID, l.sessionID)
}

func (o *opencode) tool(l *opencodeLine, at todo.Time) {
	p := &l.part
	t := o.s.current(at)
	switch string(p.tool) {
	case "todowrite":
		o.write(l, at)
		return
	case "todoread":
		// It only looks, and shows the whole list.
		if list := listIn(p.state.metadata); string(p.state.status) == "completed" && list != nil {
			o.list(l, o.s.items(list), at, true)
		}
		return
	case "invalid":
		// Older versions run a call that they refuse as a call of this tool.
		if string(p.state.input.member("tool").word()) == "todowrite" {
			why := string(p.state.input.member("error").text())
			o.s.rejected(Call{Tool: "todowrite", ID: string(p.callID)}, why, strings.Contains(why, "unavailable tool"))
			return
		}
	}
	if l.sub() {
		return
	}
	if string(p.state.status) == "error" && bytes.Contains(p.state.failed.text(), []byte("rejected permission")) {
		o.refused = true
	}
	if len(p.callID) == 0 || o.counted.add(p.callID) {
		t.tools++
	}
}

// write applies a call that has finished.
func (o *opencode) write(l *opencodeLine, at todo.Time) {
	state, id := &l.part.state, string(l.part.callID)
	switch string(state.status) {
	case "completed":
		o.s.popCall(l.part.callID)
	case "error":
		o.s.popCall(l.part.callID)
		o.s.rejected(Call{Tool: "todowrite", ID: id}, string(state.failed.text()), false)
		return
	default:
		o.s.show(todoCall{id: id, tool: "todowrite", sub: l.subAgent()})
		return
	}
	if items, ok := o.s.accepted(id, listIn(state.metadata, state.input)); ok {
		o.list(l, items, at, false)
	}
}

func (l *opencodeLine) subAgent() string {
	if !l.sub() {
		return ""
	}
	return SubAgentName(string(l.part.sessionID))
}

func (o *opencode) list(l *opencodeLine, items []todo.Item, at todo.Time, looked bool) {
	o.s.list(Update{Event: continuation.Event{Partial: looked}, SubAgent: l.subAgent(), TodoID: string(l.part.callID), At: at}, items)
}

// step ends a step, and the turn unless the model waits for the results of its calls.
func (o *opencode) step(p *opencodePart, at todo.Time) {
	o.between = true
	t := o.s.current(at)
	used := p.tokens.usage("output", "input")
	cached := p.tokens.member("cache").usage("", "read", "write")
	t.usage.Add(continuation.Usage{Input: used.Input + cached.Input, Output: used.Output + count(p.tokens.member("reasoning").word()), Cost: micros(p.cost)})
	switch reason := string(p.reason); reason {
	case "tool-calls", "tool_calls", "unknown", "":
	case "error", "content-filter":
		t.failure = failure{kind: reason}
		o.end(continuation.Failed, at)
		o.stopped = true
	default:
		o.end(continuation.Done, at)
		o.stopped = true
	}
}

// fail ends the turn with an error. The server and the command print the same one; some versions write a bare string.
func (o *opencode) fail(v value, at todo.Time) {
	if o.failed && o.s.newest() == nil {
		return
	}
	t := o.s.current(at)
	status := continuation.Failed
	kind := string(v.member("name").word())
	switch kind {
	case "MessageAbortedError":
		status = continuation.Aborted
	case "ProviderAuthError":
		kind = "authentication"
	case "ContextOverflowError":
		kind = "context window"
	}
	data := v.member("data")
	t.failure = failureOf(kind, data.message()+v.message(), data.member("statusCode").word())
	o.end(status, at)
	o.failed = true
}

func (o *opencode) end(status continuation.TurnStatus, at todo.Time) {
	o.s.close(status, at)
	o.reset()
}

func (o *opencode) reset() {
	o.counted.reset()
	o.refused, o.between, o.failed, o.stopped = false, false, false, false
}

func (o *opencode) stop() {
	if o.s == nil {
		return
	}
	if o.refused && o.between && o.s.newest() != nil {
		o.end(continuation.Done, 0)
	}
	o.s.stop()
	o.reset()
}
