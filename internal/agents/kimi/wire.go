package kimi

import (
	"slices"
	"strings"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// wire reads the files in which Kimi Code keeps its conversations, ~/.kimi-code/sessions/…/agents/…/wire.jsonl.
//
// No line names the session: it is the name of the folder. A sub-agent has a file of its own, in
// which each line names it. An accepted list has a line of its own besides the call's
// result. A turn has lines for its beginning and its end.
type wire struct{ stream.SequentialSessions }

var wireLines = []stream.LineType{
	{Name: "metadata", Marks: "protocol_version"},
	{Name: "turn.prompt", Marks: "input origin time"},
	{Name: "turn.ended", Marks: "turnId reason time"},
	{Name: "context.append_loop_event", Marks: "event time"},
	{Name: "tools.update_store", Marks: "key value time"},
	{Name: ""}, // the older program's
}

// isRecord reports whether a line's type is of one of the groups that the program has.
func isRecord(typ []byte) bool {
	group, _, ok := strings.Cut(string(typ), ".")
	if slices.Contains(ignored, string(typ)) {
		return true
	}
	switch group {
	case "turn", "context", "tools", "agent", "runtime", "profile", "plugin", "llm", "usage", "token_counting", "prompt", "subagent",
		"permission", "config", "goal", "plan_mode", "full_compaction", "micro_compaction":
		return ok
	}
	return false
}

func (k *wire) Read(l *stream.Line) error {
	older := isMessage(l)
	if len(l.Type) == 0 && !older {
		return stream.ErrOtherAgent
	}
	if l.Is("metadata") {
		k.Stop()
		k.Session = nil
	}
	k.enter(string(l.Word("agentId")))
	if older {
		k.message(l)
		return nil
	}
	at := stream.ParseMillis(l.Word("time"))
	switch string(l.Type) {
	case "turn.prompt":
		k.Session.Stop()
		k.Session.BeginTurn(at)
	case "context.append_loop_event":
		k.event(l.Member("event"), at)
	case "tools.update_store":
		if list := l.Member("value").List(); string(l.Word("key")) == "todo" && list != nil {
			k.store(list, at)
		}
	case "turn.ended":
		if !k.Session.IsDuplicateEnd() {
			k.end(l, at)
		}
	default:
		k.Session.CountUnknown(stream.Word(l.Type), ignored)
	}
	return nil
}

// enter goes to the session of the file, which has no name, or to the sub-agent whose file it is.
func (k *wire) enter(agent string) {
	sub := ""
	if agent != "" && agent != "main" {
		sub = stream.SubAgentName(agent)
	}
	if k.Session == nil || agent != "" && k.Session.SubAgent != sub {
		k.Session = k.OpenSub("", sub)
	}
}

func (k *wire) event(e stream.Value, at todo.Time) {
	t := k.Session.CurrentTurn(at)
	switch string(e.Word("type")) {
	case "step.begin":
		t.Text.Reset()
	case "content.part":
		if string(e.Word("part", "type")) == "text" {
			t.Text.Add(e.Text("part", "text"))
		}
	case "tool.call":
		tool := tools.Find(string(e.Word("name")))
		if args := e.Member("args").Raw(); tool == nil || string(args) != "{}" { // which only looks
			k.Session.CountOrRecordCall(t, string(e.Word("name")), tool, e.Word("toolCallId"), args)
		}
	case "tool.result":
		// The list that it wrote may have been reported already, and the call is then known no more.
		k.Session.ApplyResult(e.Word("toolCallId"), e.IsTrue("result", "isError"), e.Member("result", "output"), at)
	default:
		k.Session.CountUnknown(e.Word("type"), ignoredEvents, "context.append_loop_event")
	}
}

// store reads the list as it was stored, which is the result of the pending call.
func (k *wire) store(list *native.List, at todo.Time) {
	id := ""
	k.Session.ForgetCalls(func(c *stream.AwaitedTodoCall) bool { return true }, func(c *stream.AwaitedTodoCall) { id = c.ID })
	k.Session.EmitList(stream.Update{TodoID: id, At: at}, k.Session.Items(list))
}

func (k *wire) end(l *stream.Line, at todo.Time) {
	t := k.Session.CurrentTurn(at)
	status := continuation.Done
	switch string(l.Word("reason")) {
	case "cancelled":
		status = continuation.Aborted
	case "failed":
		status = continuation.Failed
		t.Failure = stream.FailureOf(string(l.Word("error", "code")), string(l.Text("error", "message")), l.Word("error", "details", "statusCode"))
	}
	k.Session.CloseTurn(status, at)
}
