package opencode

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// The names of opencode and of what it writes.
const (
	Kind stream.Kind = "opencode"

	Stream stream.Format = "opencode"
	Export stream.Format = "opencode-export"
	Events stream.Format = "opencode-events"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`opencode run --format json`", List: "`todowrite`",
		Lines: lines, New: func() stream.Parser { return new(parser) },
		Hint: "opencode has todowrite switched off; allow it under tools and permission in opencode.json",
	},
	{
		Format: Export,
		From:   "`opencode export SESSION`", List: "`todowrite`",
		Detect: detectExport, New: func() stream.Parser { return new(export) },
	},
	{
		Format: Events,
		From:   "`opencode serve`, at /event, without `data: `", List: "`todo.updated`",
		HasMoreTypes: isServerEvent, Detect: detectEvents, New: func() stream.Parser { return new(events) },
	},
}

// program is how it is started.
var program = agent.Program{
	Command: []string{"opencode", "run", "--format", "json"},
	Resume:  []string{"--session"},
	Env:     []string{"OPENCODE_PRINT_LOGS=1", "OPENCODE_LOG_LEVEL=ERROR"},
	Waits:   "small=false", // not the small model, which is asked for titles
	Costs:   true,
	Install: "npm install -g opencode-ai",
	Rights:  `"permission" in opencode.json`,

	SubAgents: &subAgents,
}

// parser reads `opencode run --format json`. One run is one turn of several steps.
//
// A call has one line, when it has finished: its state shows whether it was accepted.
// No line begins or ends a turn. The first step begins it; a step that has no tool calls and does not end with some ends it,
// and so does an error. Newer versions print "done" after that.
type parser struct {
	stream.SequentialSessions

	called  bool      // this step has a tool call, after which another step follows, no matter how it says that it ended
	mayEnd  todo.Time // when that step ended, with which the turn ends if none follows
	refused bool      // a permission was refused in this step, after which no other follows
	failed  bool      // the last turn ended with an error, and no message followed
	stopped bool      // the last turn ended with a step, and no message followed
}

var lines = []stream.LineType{
	{Name: "step_start", Marks: "sessionID part"},
	{Name: "step_finish", Marks: "sessionID part"},
	{Name: "tool_use", Marks: "sessionID part"},
	{Name: "text", Marks: "sessionID part"},
	{Name: "reasoning", Marks: "sessionID part"},
	{Name: "error", Marks: "sessionID error"},
	{Name: "done", Marks: "sessionID reason"},
}

func (o *parser) Read(l *stream.Line) error {
	id := string(l.Word("sessionID"))
	if l.Is("tool_use") && id == "" && len(l.Word("part", "tool")) == 0 {
		return stream.ErrOtherAgent
	}
	if o.Session == nil || id != "" && id != o.Session.ID {
		o.Stop()
		o.Session = o.Open(id)
		o.reset()
	}
	at := stream.ParseMillis(l.Word("timestamp"))
	if l.Is("error") {
		o.fail(l.Member("error"), at)
		return nil
	}
	o.event(string(l.Type), partOf(l.Member("part"), id), at)
	return nil
}

// part is what a line is about: a part of a message.
type part struct {
	stream.Value
	sub string // the sub-agent whose session it is of; empty for the main agent
}

func partOf(v stream.Value, session string) part {
	p := part{Value: v}
	if of := string(v.Word("sessionID")); session != "" && of != session {
		p.sub = stream.SubAgentName(of)
	}
	return p
}

// write is a call of the tool that writes the list.
func (p part) write() stream.AwaitedTodoCall {
	return stream.AwaitedTodoCall{ID: string(p.Word("callID")), Tool: tools.Find("todowrite"), SubAgent: p.sub}
}

// event applies a line.
func (o *parser) event(typ string, p part, at todo.Time) {
	switch typ {
	case "step_start":
		o.reset()
		if o.Session.NewestTurn() == nil {
			o.Session.BeginTurn(at)
		}
		o.Session.SetLastStep(stream.LastOther)
	case "tool_use":
		o.failed, o.stopped = false, false
		o.tool(p, at)
		if p.sub == "" {
			o.called = true
			o.Session.SetLastStep(stream.LastOther)
		}
	case "text":
		if t := o.Session.NewestTurn(); t != nil && p.sub == "" {
			t.RecordMessage(p.Text("text"))
			t.Last = stream.LastMessage // versions of 2026 could exit before they printed the end of the last step
		}
	case "step_finish":
		if p.sub == "" && !o.stopped { // else the line is duplicated
			o.step(p, at)
		}
	case "done":
		if o.Session.NewestTurn() != nil {
			o.end(continuation.Done, at)
		}
		o.failed = false
	}
}

func (o *parser) tool(p part, at todo.Time) {
	t, id := o.Session.CurrentTurn(at), p.Word("callID")
	switch string(p.Word("tool")) {
	case "todowrite":
		o.applyCall(p, at)
		return
	case "todoread":
		// It only looks, and shows the whole list.
		if list := native.ListIn(p.Member("state", "metadata").Raw()); string(p.Word("state", "status")) == "completed" && list != nil {
			o.list(p, o.Session.Items(list), at, true)
		}
		return
	case "invalid":
		// Versions run a call that they refuse as a call of this tool.
		why := string(p.Text("state", "input", "error"))
		absent := strings.Contains(why, "unavailable tool")
		switch tool := string(p.Word("state", "input", "tool")); {
		case tool == "todowrite":
			o.Session.Reject(p.write(), why, absent)
			return
		case absent && slices.Contains(own, tool) && p.sub == "":
			o.deny(t, p, tool)
			return
		}
	}
	took := time.Duration(stream.ParseCount(p.Word("state", "time", "end"))-stream.ParseCount(p.Word("state", "time", "start"))) * time.Millisecond
	ended := slices.Contains([]string{"completed", "error"}, string(p.Word("state", "status")))
	if p.sub != "" {
		if ended {
			o.Session.NoteCallOfAgent(p.sub, id, string(p.Word("tool")), p.Member("state", "input").Raw())
			o.Session.NoteAnswerAfter(id, took, p.Member("state", "output"), p.Member("state", "error"))
		}
		return
	}
	why := p.Text("state", "error")
	rejected := bytes.Contains(why, []byte("rejected permission"))
	if string(p.Word("state", "status")) == "error" && (rejected || bytes.Contains(why, []byte("specified a rule which prevents you"))) {
		o.refused = o.refused || rejected
		o.deny(t, p, string(p.Word("tool")))
		return
	}
	o.Session.CountCall(t, id, string(p.Word("tool")), p.Member("state", "input").Raw())
	t.HasSubAgent = t.HasSubAgent || string(p.Word("tool")) == delegates
	if !ended {
		return
	}
	if string(p.Word("state", "status")) == "error" {
		o.Session.NoteFailedCall(id)
	}
	o.Session.NoteAnswerAfter(id, took, p.Member("state", "output"), p.Member("state", "error"))
}

// own are opencode's tools that a user can forbid. The model is not told of a tool that is forbidden altogether.
var own = []string{"bash", "edit", "write", "patch", "apply_patch", "multiedit", "webfetch", "websearch", "task"}

// deny notes a call that the user's permissions do not allow.
func (o *parser) deny(t *stream.OpenTurn, p part, tool string) {
	o.Session.CountCall(t, p.Word("callID"), tool, p.Member("state", "input").Raw())
	t.NoteDenied(p.Word("callID"), tool)
}

// applyCall applies a call that has finished.
func (o *parser) applyCall(p part, at todo.Time) {
	state, call := p.Member("state"), p.write()
	o.Session.PopCall(stream.Word(call.ID))
	switch string(state.Word("status")) {
	case "completed":
	case "error":
		o.Session.Reject(call, string(state.Text("error")), false)
		return
	default:
		o.Session.RecordPartialCall(call)
		return
	}
	if items, ok := o.Session.Accepted(call, native.ListIn(state.Member("metadata").Raw(), state.Member("input").Raw())); ok {
		o.list(p, items, at, false)
	}
}

func (o *parser) list(p part, items []todo.Item, at todo.Time, looked bool) {
	o.Session.EmitList(stream.Update{Event: continuation.Event{Partial: looked}, SubAgent: p.sub, TodoID: string(p.Word("callID")), At: at}, items)
}

// step ends a step, and the turn unless the model waits for the results of its calls.
func (o *parser) step(p part, at todo.Time) {
	t := o.Session.CurrentTurn(at)
	if o.refused {
		t.Last = stream.LastAnswer
	}
	t.Usage.Add(usageOf(p.Value))
	switch reason := string(p.Word("reason")); reason {
	case "tool-calls", "tool_calls", "unknown", "":
		if !o.refused {
			t.Last = stream.LastOther
		}
	case "error", "content-filter":
		t.Failure = stream.Failure{Kind: reason}
		o.end(continuation.Failed, at)
		o.stopped = true
	default:
		if o.called && !o.refused {
			o.mayEnd = at
		} else {
			o.end(continuation.Done, at)
		}
		o.stopped = true
	}
}

// fail ends the turn with an error. The server and the command print the same one; some versions write a bare string.
func (o *parser) fail(v stream.Value, at todo.Time) {
	if o.failed && o.Session.NewestTurn() == nil {
		return
	}
	status, failure := failureOf(v)
	o.Session.CurrentTurn(at).Failure = failure
	o.end(status, at)
	o.failed = true
}

// usageOf returns what a step used.
func usageOf(step stream.Value) continuation.Usage {
	used := step.Member("tokens").Usage("output", "input")
	cached := step.Member("tokens", "cache").Usage("", "read", "write")
	return continuation.Usage{
		Input: used.Input + cached.Input, Output: used.Output + stream.ParseCount(step.Word("tokens", "reasoning")),
		Cached: stream.ParseCount(step.Word("tokens", "cache", "read")), Cost: stream.ParseMicros(step.Word("cost")),
	}
}

// failureOf returns how a turn ends with an error, and why.
func failureOf(v stream.Value) (continuation.TurnStatus, stream.Failure) {
	status := continuation.Failed
	kind := string(v.Word("name"))
	switch kind {
	case "MessageAbortedError":
		status = continuation.Aborted
	case "ProviderAuthError":
		kind = "authentication"
	case "ContextOverflowError":
		kind = "context window"
	}
	data := v.Member("data")
	text := data.Message() + v.Message()
	if after := data.Word("responseHeaders", "retry-after"); len(after) > 0 {
		text += "\nretry-after: " + string(after)
	}
	if code := data.Word("statusCode"); len(code) > 0 && code[0] == '4' {
		text += "\n" + string(data.Text("responseBody")) // a server that fails may answer with a page
	}
	return status, stream.FailureOf(kind, text, data.Word("statusCode"))
}

func (o *parser) end(status continuation.TurnStatus, at todo.Time) {
	o.Session.CloseTurn(status, at)
	o.reset()
}

func (o *parser) reset() {
	o.called, o.refused, o.failed, o.stopped = false, false, false, false
}

func (o *parser) Stop() {
	if o.called && o.stopped && o.Session.NewestTurn() != nil {
		o.end(continuation.Done, o.mayEnd)
	}
	o.SequentialSessions.Stop()
	o.reset()
}
