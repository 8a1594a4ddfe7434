package agent

import (
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// The older program, in Python, keeps its conversations in ~/.kimi/sessions/…/wire.jsonl: after the line with the
// protocol's version each line is a message with its time, and events of sub-agents are within events of their own.
// A result of the todo tool shows the list as it was accepted.

// isKimiMessage reports whether a line is one of the older program's.
func isKimiMessage(l *line) bool {
	return len(l.typ) == 0 && l.has("timestamp") && l.member("message", "type").isString() && l.member("message", "payload").kind() == '{'
}

func (k *kimiWire) message(l *line) {
	at, m := seconds(l.word("timestamp")), l.member("message")
	caller := todoCall{}
	for string(m.word("type")) == "SubagentEvent" { // a sub-agent can have some of its own
		parent := m.member("payload")
		caller.parent = string(parent.either("parent_tool_call_id", "task_tool_call_id").word())
		id := string(parent.word("agent_id"))
		if id == "" {
			id = caller.parent
		}
		caller.sub = SubAgentName(id)
		m = parent.member("event")
	}
	typ, p := string(m.word("type")), m.member("payload")
	switch {
	case typ == "ToolCall":
		k.called(p, caller, at)
	case typ == "ToolResult":
		k.returned(p, at)
	case caller.sub != "":
	case typ == "TurnBegin":
		k.s.stop()
		k.s.begin(at)
	case typ == "TurnEnd":
		if !k.s.again() {
			k.s.current(at)
			k.s.close(continuation.Done, at)
		}
	case typ == "StepBegin":
		k.s.current(at).text.reset()
	case typ == "ContentPart" && string(p.word("type")) == "text":
		t := k.s.current(at)
		t.text.add(p.text("text"))
		t.last = lastAnswer
	case typ == "StepInterrupted": // by the user, or by an error
		k.s.ends(lastOther)
	}
}

func (k *kimiWire) called(p value, c todoCall, at todo.Time) {
	tool, arguments := kimiTool(p), p.member("function", "arguments").unpacked()
	if c.sub == "" {
		t := k.s.current(at)
		t.last = lastCalls
		if tool == nil {
			t.tools++
			k.s.runs(p.word("id"))
		}
	}
	if tool != nil && !isKimiLook(arguments) {
		c.id, c.tool, c.input = string(p.word("id")), tool, arguments
		k.s.show(c)
	}
}

func (k *kimiWire) returned(p value, at todo.Time) {
	call, ok := k.s.popCall(p.word("tool_call_id"))
	if !ok {
		return
	}
	result := p.either("return_value", "result")
	if result.isTrue("is_error") {
		k.s.rejected(call, string(result.text("message")), false)
		return
	}
	list := native.ListIn(call.input)
	for one := range result.objects("display") {
		if string(one.word("type")) == "todo" {
			list = one.member("items").list()
		}
	}
	k.s.accept(call, list, at)
}
