package goose

import (
	"strings"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// The names of goose and of what it writes.
const (
	Kind stream.Kind = "goose"

	Stream stream.Format = "goose"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`goose run --output-format stream-json`", List: "the checklist of `todo_write`",
		Lines: lines, Detect: detect, New: func() stream.Parser { return new(parser) },
	},
}

// parser reads `goose run --output-format stream-json`. One run is one turn, which a line of the type complete ends.
//
// That line has the tokens of the session so far. Since none has the session's name, the tokens of a run are not known.
type parser struct {
	stream.SequentialSessions
	at todo.Time // of the last message
}

var lines = []stream.LineType{
	{Name: "message"},
	{Name: "notification", Marks: "extension_id"},
	{Name: "complete", Marks: "total_tokens"},
	{Name: "error"},
	{Name: "model_change"},
}

// detect knows a message by what else it holds.
func detect(l *stream.Line) bool {
	return l.Is("message") && l.Member("message", "metadata", "agentVisible") != nil && l.Member("message", "created").IsNumber()
}

func (p *parser) Read(l *stream.Line) error {
	if l.Is("message") && !detect(l) {
		return stream.ErrOtherAgent
	}
	if p.BeginRun() {
		p.at = 0
	}
	switch string(l.Type) {
	case "message":
		p.message(l.Member("message"))
	case "error":
		p.fail(string(l.Text("error")))
	case "complete":
		p.end()
	}
	return nil
}

func (p *parser) message(m stream.Value) {
	p.at = stream.ParseUnixSeconds(m.Word("created"))
	t := p.Session.CurrentTurn(p.at)
	if string(m.Word("role")) == "assistant" {
		t.Last = stream.LastAnswer
	}
	for b := range m.Blocks("content") {
		switch string(b.Type) {
		case "text":
			p.addText(t, m, b.Text("text"))
		case "toolRequest":
			t.Last, t.Speaks = stream.LastCalls, false
			call := b.Member("toolCall", "value")
			name := string(call.Word("name"))
			p.Session.CountOrRecordCall(t, name, tools.Find(name), b.Word("id"), call.Member("arguments").Raw())
		case "toolResponse":
			p.result(b)
		default:
			p.Session.CountUnknown(b.Type, ignored, "message")
		}
	}
}

// ignored are types of what a message holds, by goose's type of it, that say nothing of a list or a turn.
var ignored = []string{
	"actionRequired", "contextLengthExceeded", "frontendToolRequest", "image", "redactedThinking", "reasoning", "summarizationRequested",
	"systemNotification", "thinking", "toolConfirmationRequest",
}

// failure begins a text of goose's own, in a message without an id.
const failure = "Ran into this error: "

// addText keeps what the model says, whose pieces are messages of their own.
func (p *parser) addText(t *stream.OpenTurn, m stream.Value, text []byte) {
	if why, ok := strings.CutPrefix(string(text), failure); ok && len(m.Word("id")) == 0 {
		p.fail(why)
		return
	}
	if string(m.Word("role")) != "assistant" {
		return
	}
	if !t.Speaks {
		t.Text.Reset()
	}
	t.Text.Add(text)
	t.Speaks = true
}

func (p *parser) fail(why string) {
	why, _, _ = strings.Cut(why, "\n\nPlease retry")
	p.Session.CurrentTurn(p.at).Failure = stream.FailureOf("", why, nil)
	p.Session.SetLastStep(stream.LastFailure)
}

// result applies the call whose result has come.
func (p *parser) result(b stream.Block) {
	p.Session.SetLastStep(stream.LastOther)
	result := b.Member("toolResult")
	p.Session.NoteAnswer(b.Word("id"), result)
	failed := string(result.Word("status")) != "success" || result.IsTrue("value", "isError")
	if failed {
		p.Session.NoteFailedCall(b.Word("id"))
	}
	call, ok := p.Session.PopCall(b.Word("id"))
	switch {
	case !ok:
		return
	case failed:
		p.Session.Reject(call, result.Member("value", "content").ContentText()+string(result.Text("error")), false)
		return
	}
	p.Session.Accept(call, native.CheckList(call.Input.Object().Text("content")), p.at)
}

// end ends the run, which does not say how.
func (p *parser) end() {
	if p.Session.IsDuplicateEnd() {
		return
	}
	t, status := p.Session.CurrentTurn(p.at), continuation.Done
	if t.Last == stream.LastFailure {
		status = continuation.Failed
	}
	p.Session.CloseTurn(status, p.at)
	p.RunOver = true
}
