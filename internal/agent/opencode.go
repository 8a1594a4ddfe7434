package agent

import (
	"bytes"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// opencode reads `opencode run --format json`. One run is one turn of several steps.
//
// A call has one line, when it has finished: its state shows whether it was accepted.
// No line begins or ends a turn. The first step begins it; a step that does not end with tool calls ends it,
// and so does an error. Newer versions print "done" after that.
type opencode struct {
	single

	refused bool // a permission was refused in this step, after which no other follows
	failed  bool // the last turn ended with an error, and no message followed
	stopped bool // the last turn ended with a step, and no message followed
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

func (o *opencode) read(l *line) error {
	id := string(l.word("sessionID"))
	if l.is("tool_use") && id == "" && len(l.word("part", "tool")) == 0 {
		return errForeign
	}
	if o.s == nil || id != "" && id != o.s.id {
		o.stop()
		o.s = o.r.session(o.a, id)
		o.reset()
	}
	at := millis(l.word("timestamp"))
	if l.is("error") {
		o.fail(l.member("error"), at)
		return nil
	}
	o.event(string(l.typ), partOf(l.member("part"), id), at)
	return nil
}

// opencodePart is what a line is about: a part of a message.
type opencodePart struct {
	value
	sub string // the sub-agent whose session it is of; empty for the main agent
}

func partOf(v value, session string) opencodePart {
	p := opencodePart{value: v}
	if of := string(v.word("sessionID")); session != "" && of != session {
		p.sub = SubAgentName(of)
	}
	return p
}

// write is a call of the tool that writes the list.
func (p opencodePart) write() todoCall {
	return todoCall{id: string(p.word("callID")), tool: native.ToolOf(native.Opencode, "todowrite"), sub: p.sub}
}

// event applies a line.
func (o *opencode) event(typ string, p opencodePart, at todo.Time) {
	switch typ {
	case "step_start":
		o.reset()
		if o.s.newest() == nil {
			o.s.begin(at)
		}
		o.s.ends(lastOther)
	case "tool_use":
		o.failed, o.stopped = false, false
		o.tool(p, at)
	case "text":
		if t := o.s.newest(); t != nil && p.sub == "" {
			t.recordMessage(p.text("text"))
		}
	case "step_finish":
		if p.sub == "" && !o.stopped { // else the line is duplicated
			o.step(p, at)
		}
	case "done":
		if o.s.newest() != nil {
			o.end(continuation.Done, at)
		}
		o.failed = false
	}
}

func (o *opencode) tool(p opencodePart, at todo.Time) {
	t, id := o.s.current(at), p.word("callID")
	switch string(p.word("tool")) {
	case "todowrite":
		o.write(p, at)
		return
	case "todoread":
		// It only looks, and shows the whole list.
		if list := native.ListIn(p.member("state", "metadata").raw()); string(p.word("state", "status")) == "completed" && list != nil {
			o.list(p, o.s.items(list), at, true)
		}
		return
	case "invalid":
		// Older versions run a call that they refuse as a call of this tool.
		if string(p.word("state", "input", "tool")) == "todowrite" {
			why := string(p.text("state", "input", "error"))
			o.s.rejected(p.write(), why, strings.Contains(why, "unavailable tool"))
			return
		}
	}
	if p.sub != "" {
		return
	}
	if string(p.word("state", "status")) == "error" && bytes.Contains(p.text("state", "error"), []byte("rejected permission")) {
		o.refused = true
	}
	t.count(id)
}

// write applies a call that has finished.
func (o *opencode) write(p opencodePart, at todo.Time) {
	state, call := p.member("state"), p.write()
	o.s.popCall(word(call.id))
	switch string(state.word("status")) {
	case "completed":
	case "error":
		o.s.rejected(call, string(state.text("error")), false)
		return
	default:
		o.s.show(call)
		return
	}
	if items, ok := o.s.accepted(call.id, native.ListIn(state.member("metadata").raw(), state.member("input").raw())); ok {
		o.list(p, items, at, false)
	}
}

func (o *opencode) list(p opencodePart, items []todo.Item, at todo.Time, looked bool) {
	o.s.list(Update{Event: continuation.Event{Partial: looked}, SubAgent: p.sub, TodoID: string(p.word("callID")), At: at}, items)
}

// step ends a step, and the turn unless the model waits for the results of its calls.
func (o *opencode) step(p opencodePart, at todo.Time) {
	t := o.s.current(at)
	if o.refused {
		t.last = lastAnswer
	}
	used := p.member("tokens").usage("output", "input")
	cached := p.member("tokens", "cache").usage("", "read", "write")
	t.usage.Add(continuation.Usage{Input: used.Input + cached.Input, Output: used.Output + count(p.word("tokens", "reasoning")), Cached: count(p.word("tokens", "cache", "read")), Cost: micros(p.word("cost"))})
	switch reason := string(p.word("reason")); reason {
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
	kind := string(v.word("name"))
	switch kind {
	case "MessageAbortedError":
		status = continuation.Aborted
	case "ProviderAuthError":
		kind = "authentication"
	case "ContextOverflowError":
		kind = "context window"
	}
	data := v.member("data")
	text := data.message() + v.message()
	if after := data.word("responseHeaders", "retry-after"); len(after) > 0 {
		text += "\nretry-after: " + string(after)
	}
	t.failure = failureOf(kind, text, data.word("statusCode"))
	o.end(status, at)
	o.failed = true
}

func (o *opencode) end(status continuation.TurnStatus, at todo.Time) {
	o.s.close(status, at)
	o.reset()
}

func (o *opencode) reset() {
	o.refused, o.failed, o.stopped = false, false, false
}

func (o *opencode) stop() {
	o.single.stop()
	o.reset()
}

// opencodeProgram is how opencode is started.
func opencodeProgram() Program {
	return Program{
		Name:    "opencode",
		Command: []string{"opencode", "run", "--format", "json"},
		Resume:  []string{"--session"},
		Costs:   true,
		Install: "npm install -g opencode-ai",
		Rights:  `"permission" in opencode.json`,
	}
}
