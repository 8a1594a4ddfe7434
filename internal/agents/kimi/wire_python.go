package kimi

import (
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// The older program, in Python, keeps its conversations in ~/.kimi/sessions/…/wire.jsonl: after the line with the
// protocol's version each line is a message with its time, and events of sub-agents are within events of their own.
// A result of the todo tool shows the list as it was accepted.

// isMessage reports whether a line is one of the older program's.
func isMessage(l *stream.Line) bool {
	return len(l.Type) == 0 && l.Has("timestamp") && l.Member("message", "type").IsString() && l.Member("message", "payload").Kind() == '{'
}

func (k *wire) message(l *stream.Line) {
	at, m := stream.ParseUnixSeconds(l.Word("timestamp")), l.Member("message")
	caller := stream.AwaitedTodoCall{}
	for string(m.Word("type")) == "SubagentEvent" { // a sub-agent can have some of its own
		parent := m.Member("payload")
		caller.Parent = string(parent.Either("parent_tool_call_id", "task_tool_call_id").Word())
		id := string(parent.Word("agent_id"))
		if id == "" {
			id = caller.Parent
		}
		caller.SubAgent = stream.SubAgentName(id)
		m = parent.Member("event")
	}
	typ, p := string(m.Word("type")), m.Member("payload")
	switch {
	case typ == "ToolCall":
		k.called(p, caller, at)
	case typ == "ToolResult":
		k.applyReturn(p, at)
	case caller.SubAgent != "":
	case typ == "TurnBegin":
		k.Session.Stop()
		k.Session.BeginTurn(at)
	case typ == "TurnEnd":
		if !k.Session.IsDuplicateEnd() {
			k.Session.CurrentTurn(at)
			k.Session.CloseTurn(continuation.Done, at)
		}
	case typ == "StepBegin":
		k.Session.CurrentTurn(at).Text.Reset()
	case typ == "ContentPart" && string(p.Word("type")) == "text":
		t := k.Session.CurrentTurn(at)
		t.Text.Add(p.Text("text"))
		t.Last = stream.LastAnswer
	case typ == "StepInterrupted": // by the user, or by an error
		k.Session.SetLastStep(stream.LastOther)
	default:
		k.Session.CountUnknown(stream.Word(typ), ignoredMessages, "message")
	}
}

func (k *wire) called(p stream.Value, c stream.AwaitedTodoCall, at todo.Time) {
	tool, arguments := todoTool(p), p.Member("function", "arguments").EmbeddedJSON()
	if c.SubAgent == "" {
		t := k.Session.CurrentTurn(at)
		t.Last = stream.LastCalls
		if tool == nil {
			k.Session.CountOrRecordCall(t, string(p.Word("function", "name")), nil, p.Word("id"), arguments)
		}
	}
	if tool != nil && !onlyLooks(arguments) {
		c.ID, c.Tool, c.Input = string(p.Word("id")), tool, arguments
		k.Session.RecordPartialCall(c)
	}
}

func (k *wire) applyReturn(p stream.Value, at todo.Time) {
	result := p.Either("return_value", "result")
	k.Session.NoteAnswer(p.Word("tool_call_id"), result)
	if result.IsTrue("is_error") {
		k.Session.NoteFailedCall(p.Word("tool_call_id"))
	}
	call, ok := k.Session.PopCall(p.Word("tool_call_id"))
	if !ok {
		return
	}
	if result.IsTrue("is_error") {
		k.Session.Reject(call, string(result.Text("message")), false)
		return
	}
	list := native.ListIn(call.Input)
	for one := range result.Objects("display") {
		if string(one.Word("type")) == "todo" {
			list = one.Member("items").List()
		}
	}
	k.Session.Accept(call, list, at)
}
