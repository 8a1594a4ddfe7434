package agent

import (
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// kimiWire reads the files in which Kimi Code keeps its conversations, ~/.kimi-code/sessions/…/agents/…/wire.jsonl.
//
// No line names the session: it is the name of the folder. A sub-agent has a file of its own, in
// which each line names it. A list that was accepted has a line of its own beside the call's
// result. A turn has lines for its beginning and its end.
type kimiWire struct{ single }

var kimiWireLines = []lineType{
	{"metadata", "protocol_version"},
	{"turn.prompt", "input origin time"},
	{"turn.ended", "turnId reason time"},
	{"context.append_loop_event", "event time"},
	{"tools.update_store", "key value time"},
	{"", unmarked}, // the older program's
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

func (k *kimiWire) read(l *line) error {
	older := isKimiMessage(l)
	if len(l.typ) == 0 && !older {
		return errForeign
	}
	if l.is("metadata") {
		k.stop()
		k.s = nil
	}
	k.enter(string(l.word("agentId")))
	if older {
		k.message(l)
		return nil
	}
	at := millis(l.word("time"))
	switch string(l.typ) {
	case "turn.prompt":
		k.s.stop()
		k.s.begin(at)
	case "context.append_loop_event":
		k.event(l.member("event"), at)
	case "tools.update_store":
		if list := l.member("value").list(); string(l.word("key")) == "todo" && list != nil {
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

func (k *kimiWire) event(e value, at todo.Time) {
	t := k.s.current(at)
	switch string(e.word("type")) {
	case "step.begin":
		t.text.reset()
	case "content.part":
		if string(e.word("part", "type")) == "text" {
			t.text.add(e.text("part", "text"))
		}
	case "tool.call":
		tool := native.ToolOf(native.Kimi, string(e.word("name")))
		if args := e.member("args").raw(); tool == nil || string(args) != "{}" { // which only looks
			k.s.use(t, tool, e.word("toolCallId"), args)
		}
	case "tool.result":
		// The list that it wrote may have been reported already, and the call is then known no more.
		k.s.result(e.word("toolCallId"), e.isTrue("result", "isError"), e.member("result", "output"), at)
	}
}

// store reads the list as it was stored, which is the result of the pending call.
func (k *kimiWire) store(list *native.List, at todo.Time) {
	id := ""
	k.s.forget(func(c *todoCall) bool { return true }, func(c *todoCall) { id = c.id })
	k.s.list(Update{TodoID: id, At: at}, k.s.items(list))
}

func (k *kimiWire) end(l *line, at todo.Time) {
	t := k.s.current(at)
	status := continuation.Done
	switch string(l.word("reason")) {
	case "cancelled":
		status = continuation.Aborted
	case "failed":
		status = continuation.Failed
		t.failure = failureOf(string(l.word("error", "code")), string(l.text("error", "message")), l.word("error", "details", "statusCode"))
	}
	k.s.close(status, at)
}
