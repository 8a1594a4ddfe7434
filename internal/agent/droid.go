package agent

import (
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// droid reads `droid exec --output-format stream-json` of Factory Droid. One run is one turn.
//
// Its TodoWrite writes the list as numbered lines. Messages, calls and results have lines of their own;
// completion ends the turn, and a run that fails ends with an error or with nothing.
type droid struct {
	run
	line droidLine // the one that is being read
}

// droidLine is what we need of a line.
type droidLine struct {
	typ        word
	session    word
	timestamp  word
	role       word
	text       word
	id         word
	tool       word
	parameters value
	value      value
	isErr      bool
	final      word
	message    word
}

func (l *droidLine) members(m *members) {
	m.word("type", &l.typ)
	m.word("session_id", &l.session)
	m.word("timestamp", &l.timestamp)
	m.word("role", &l.role)
	m.text("text", &l.text)
	m.word("id", &l.id)
	m.word("toolName", &l.tool)
	m.value("parameters", &l.parameters)
	m.value("value", &l.value)
	m.truth("isError", &l.isErr)
	m.text("finalText", &l.final)
	m.text("message", &l.message)
}

var droidLines = []lineType{
	{"system", "session_id reasoning_effort"},
	{"message", "role text id session_id"},
	{"reasoning", "text id session_id"},
	{"tool_call", "toolName parameters session_id"},
	{"tool_result", "toolId isError session_id"},
	{"completion", "finalText session_id"},
	{"error", unmarked},
}

func (d *droid) read(line []byte) error {
	l := &d.line
	*l = droidLine{}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if string(l.typ) == "tool_call" && len(l.tool) == 0 {
		return errForeign
	}
	if d.s == nil || len(l.session) > 0 && string(l.session) != d.s.id {
		d.stop()
		d.s = d.r.session(d.a, string(l.session))
	}
	at := millis(l.timestamp)
	d.failed = false
	switch string(l.typ) {
	case "message":
		if string(l.role) == "user" {
			d.s.stop()
			d.s.begin(at)
		} else {
			d.s.current(at).recordMessage(l.text)
		}
	case "tool_call":
		d.call(l, at)
	case "tool_result":
		d.result(l, at)
	case "completion":
		d.end(l, at)
	case "error":
		d.s.current(at).failure = failureOf("", string(l.message), nil)
		d.failed = true
	}
	return nil
}

func (d *droid) call(l *droidLine, at todo.Time) {
	if native.ToolOf(native.Droid, string(l.tool)) == nil {
		d.s.current(at).tools++
		return
	}
	d.s.current(at)
	d.s.show(todoCall{id: string(l.id), tool: string(l.tool), input: l.parameters})
}

func (d *droid) result(l *droidLine, at todo.Time) {
	call, ok := d.s.popCall(l.id)
	if !ok {
		return
	}
	if l.isErr {
		d.s.rejected(call.named(), l.value.contentText(), false)
		return
	}
	d.s.accept(call, listIn(call.input), at)
}

func (d *droid) end(l *droidLine, at todo.Time) {
	if d.s.again() {
		return
	}
	t, status := d.s.current(at), continuation.Done
	t.recordMessage(l.final)
	if l.isErr {
		status = continuation.Failed
		t.failure = failureOf("", string(l.final), nil)
	}
	d.s.close(status, at)
}
