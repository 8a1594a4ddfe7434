package agent

import (
	"bytes"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// kimiWire reads the files in which Kimi Code keeps its conversations, ~/.kimi-code/sessions/…/agents/…/wire.jsonl.
//
// No line names the session: it is the name of the folder. A sub-agent has a file of its own, in which each line names it.
// A list that was accepted has a line of its own beside the call's result. A turn has lines for its beginning and its end.
type kimiWire struct {
	single
	line kimiRecord // the one that is being read
}

// kimiRecord is what we need of a line.
type kimiRecord struct {
	typ     word
	agentID word
	time    word
	event   kimiEvent
	key     word
	value   value
	reason  word
	failed  kimiFailure
}

// kimiEvent is what happened within a step of the model.
type kimiEvent struct {
	typ    word
	part   value
	callID word
	name   word
	args   value
	output value
	isErr  bool
}

// kimiFailure is why a turn failed.
type kimiFailure struct {
	code    word
	message word
	status  word
}

func (l *kimiRecord) members(m *members) {
	m.word("type", &l.typ)
	m.word("agentId", &l.agentID)
	m.word("time", &l.time)
	m.object("event", l.event.members)
	m.word("key", &l.key)
	m.value("value", &l.value)
	m.word("reason", &l.reason)
	m.object("error", func(m *members) {
		m.word("code", &l.failed.code)
		m.text("message", &l.failed.message)
		m.object("details", func(m *members) { m.word("statusCode", &l.failed.status) })
	})
}

func (e *kimiEvent) members(m *members) {
	m.word("type", &e.typ)
	m.value("part", &e.part)
	m.word("toolCallId", &e.callID)
	m.word("name", &e.name)
	m.value("args", &e.args)
	m.object("result", func(m *members) {
		m.value("output", &e.output)
		m.truth("isError", &e.isErr)
	})
}

var kimiWireLines = []lineType{
	{"metadata", "protocol_version created_at"},
	{"turn.prompt", "input origin time"},
	{"turn.ended", "turnId reason time"},
	{"context.append_loop_event", "event time"},
	{"tools.update_store", "key value time"},
}

// isKimiRecord reports whether a line's type is of one of the groups that the program has.
func isKimiRecord(typ []byte) bool {
	group, _, ok := strings.Cut(string(typ), ".")
	switch group {
	case "turn", "context", "tools", "agent", "runtime", "profile", "plugin", "llm", "usage", "token_counting", "prompt", "subagent",
		"permission", "config", "goal", "plan_mode", "full_compaction", "micro_compaction":
		return ok
	}
	return false
}

func (k *kimiWire) read(line []byte) error {
	l := &k.line
	*l = kimiRecord{}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if string(l.typ) == "metadata" {
		k.stop()
		k.s = nil
	}
	k.enter(string(l.agentID))
	at := millis(l.time)
	switch string(l.typ) {
	case "turn.prompt":
		k.s.stop()
		k.s.begin(at)
	case "context.append_loop_event":
		k.event(&l.event, at)
	case "tools.update_store":
		if list := l.value.list(); string(l.key) == "todo" && list != nil {
			k.store(list, at)
		}
	case "turn.ended":
		if !k.s.again() {
			k.end(l, at)
		}
	}
	return nil
}

// enter goes to the session of the file, which has no name, or to the sub-agent whose file it is.
func (k *kimiWire) enter(agent string) {
	sub := ""
	if agent != "" && agent != "main" {
		sub = SubAgentName(agent)
	}
	if k.s == nil || agent != "" && k.s.sub != sub {
		k.s = k.r.subSession(k.a, "", sub)
	}
}

func (k *kimiWire) event(e *kimiEvent, at todo.Time) {
	t := k.s.current(at)
	switch string(e.typ) {
	case "step.begin":
		t.text.reset()
	case "content.part":
		if string(e.part.member("type").word()) == "text" {
			t.text.add(e.part.member("text").text())
		}
	case "tool.call":
		tool := native.ToolOf(native.Kimi, string(e.name))
		if tool == nil {
			t.tools++
			return
		}
		k.s.show(todoCall{id: string(e.callID), tool: tool.Name, input: e.args, looks: bytes.Equal(e.args, []byte("{}"))})
	case "tool.result":
		k.result(e, at)
	}
}

// result applies a call, unless the list that it wrote was reported already.
func (k *kimiWire) result(e *kimiEvent, at todo.Time) {
	call, ok := k.s.popCall(e.callID)
	switch {
	case !ok || call.looks:
	case e.isErr:
		k.s.rejected(call.named(), e.output.contentText(), false)
	default:
		k.s.accept(call, listIn(call.input), at)
	}
}

// store reads the list as it was stored, which is the result of the pending call.
func (k *kimiWire) store(list *native.List, at todo.Time) {
	id := ""
	k.s.forget(func(c *todoCall) bool { return !c.looks }, func(c *todoCall) { id = c.id })
	k.s.list(Update{TodoID: id, At: at}, k.s.items(list))
}

func (k *kimiWire) end(l *kimiRecord, at todo.Time) {
	t := k.s.current(at)
	status := continuation.Done
	switch string(l.reason) {
	case "cancelled":
		status = continuation.Aborted
	case "failed":
		status = continuation.Failed
		t.failure = failureOf(string(l.failed.code), string(l.failed.message), l.failed.status)
	}
	k.s.close(status, at)
}
