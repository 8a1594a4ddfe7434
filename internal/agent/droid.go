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
type droid struct{ single }

var droidLines = []lineType{
	{"system", "session_id reasoning_effort"},
	{"message", "role text id session_id"},
	{"reasoning", "text id session_id"},
	{"tool_call", "toolName parameters session_id"},
	{"tool_result", "toolId isError session_id"},
	{"completion", "finalText session_id"},
	{"error", unmarked},
}

func (d *droid) read(l *line) error {
	if l.is("tool_call") && len(l.word("toolName")) == 0 {
		return errForeign
	}
	if id := string(l.word("session_id")); d.s == nil || id != "" && id != d.s.id {
		d.stop()
		d.s = d.r.session(d.a, id)
	}
	at := millis(l.word("timestamp"))
	d.s.ends(lastOther)
	switch string(l.typ) {
	case "message":
		if string(l.word("role")) == "user" {
			d.s.stop()
			d.s.begin(at)
		} else {
			d.s.current(at).recordMessage(l.text("text"))
		}
	case "tool_call":
		tool := native.ToolOf(native.Droid, string(l.word("toolName")))
		d.s.use(d.s.current(at), tool, l.word("id"), l.member("parameters").raw())
	case "tool_result":
		id := l.word("id")
		if len(id) == 0 { // as in October 2025; the result names its tool
			id = d.s.waits(string(l.word("toolId")))
		}
		d.s.result(id, l.isTrue("isError"), l.member("value"), at)
	case "completion":
		d.end(l, at)
	case "error":
		t := d.s.current(at)
		t.failure = failureOf("", string(l.text("message")), nil)
		t.last = lastFailure
	}
	return nil
}

func (d *droid) end(l *line, at todo.Time) {
	if d.s.again() {
		return
	}
	t, status := d.s.current(at), continuation.Done
	t.recordMessage(l.text("finalText"))
	if l.isTrue("isError") {
		status = continuation.Failed
		t.failure = failureOf("", string(l.text("finalText")), nil)
	}
	d.s.close(status, at)
}
