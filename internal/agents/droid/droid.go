package droid

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// The names of Factory Droid and of what it writes.
const (
	Kind stream.Kind = "droid"

	Stream stream.Format = "droid"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`droid exec --output-format stream-json`", List: "`TodoWrite`, numbered lines", Untried: true,
		Lines: lines, New: func() stream.Parser { return new(parser) },
	},
}

// parser reads `droid exec --output-format stream-json` of Factory Droid. One run is one turn.
//
// Its TodoWrite writes the list as numbered lines. Messages, calls and results have lines of their own;
// completion ends the turn, and a run that fails ends with an error or with nothing.
type parser struct{ stream.SequentialSessions }

var lines = []stream.LineType{
	{Name: "system", Marks: "session_id reasoning_effort"},
	{Name: "message", Marks: "role text id session_id"},
	{Name: "reasoning", Marks: "text id session_id"},
	{Name: "tool_call", Marks: "toolName parameters session_id"},
	{Name: "tool_result", Marks: "toolId isError session_id"},
	{Name: "completion", Marks: "finalText session_id"},
	{Name: "error"},
}

func (d *parser) Read(l *stream.Line) error {
	if l.Is("tool_call") && len(l.Word("toolName")) == 0 || l.Is("message") && len(l.Word("role")) == 0 {
		return stream.ErrOtherAgent
	}
	if id := string(l.Word("session_id")); d.Session == nil || id != "" && id != d.Session.ID {
		d.Stop()
		d.Session = d.Open(id)
	}
	at := stream.ParseMillis(l.Word("timestamp"))
	d.Session.SetLastStep(stream.LastOther)
	switch string(l.Type) {
	case "system":
		d.Session.NoteModel(l.Word("model"))
	case "message":
		if string(l.Word("role")) == "user" {
			d.Session.Stop()
			d.Session.BeginTurn(at)
		} else {
			d.Session.CurrentTurn(at).RecordMessage(l.Text("text"))
		}
	case "tool_call":
		name := string(l.Word("toolName"))
		d.Session.CountOrRecordCall(d.Session.CurrentTurn(at), name, tools.Find(name), l.Word("id"), l.Member("parameters").Raw())
	case "tool_result":
		id := l.Word("id")
		if len(id) == 0 { // as in October 2025; the result names its tool
			id = d.Session.PendingCallOf(string(l.Word("toolId")))
		}
		d.Session.ApplyResult(id, l.IsTrue("isError"), l.Member("value"), at)
	case "completion":
		d.end(l, at)
	case "error":
		t := d.Session.CurrentTurn(at)
		t.Failure = stream.FailureOf("", string(l.Text("message")), nil)
		t.Last = stream.LastFailure
	}
	return nil
}

func (d *parser) end(l *stream.Line, at todo.Time) {
	if d.Session.IsDuplicateEnd() {
		return
	}
	t, status := d.Session.CurrentTurn(at), continuation.Done
	t.RecordMessage(l.Text("finalText"))
	if l.IsTrue("isError") {
		status = continuation.Failed
		t.Failure = stream.FailureOf("", string(l.Text("finalText")), nil)
	}
	d.Session.CloseTurn(status, at)
}
