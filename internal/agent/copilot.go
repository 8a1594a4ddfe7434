package agent

import (
	"bytes"
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// copilot reads `copilot -p --output-format json`, and the file in which Copilot CLI keeps the same events, events.jsonl.
//
// A turn is what follows a user's message, and ends as its last message shows; a run ends with a result, which names the session.
// The list is a table in the program's own database, which the model's calls of the tool sql change.
type copilot struct {
	chat
	line    copilotLine // the one that is being read
	counted recent      // calls of the turn
	list    []todo.Item // the table's, as far as it is known
	resumed bool        // the table has rows from before
	over    bool        // the run has ended, so what follows is another one
}

// copilotLine is what we need of a line.
type copilotLine struct {
	typ       word
	timestamp word
	session   word // of a result
	exit      word
	event     bool // there are data
	data      copilotData
}

type copilotData struct {
	session word
	content word
	calls   value
	callID  word
	tool    word
	told    value // a user's message with the program's additions
	args    value
	success bool
	result  word
	failed  word
	parent  word // the call that started the sub-agent
	kind    word // of an error
	message word
	status  word
}

func (l *copilotLine) members(m *members) {
	m.word("type", &l.typ)
	m.member("data", func(k *walker) {
		l.event = k.peek() == '{'
		k.members(l.data.members)
	})
	m.word("timestamp", &l.timestamp)
	m.word("sessionId", &l.session)
	m.word("exitCode", &l.exit)
}

func (d *copilotData) members(m *members) {
	m.word("sessionId", &d.session)
	m.text("content", &d.content)
	m.value("toolRequests", &d.calls)
	m.word("toolCallId", &d.callID)
	m.word("toolName", &d.tool)
	m.value("transformedContent", &d.told)
	m.value("arguments", &d.args)
	m.truth("success", &d.success)
	m.object("result", func(m *members) { m.text("content", &d.result) })
	m.object("error", func(m *members) { m.text("message", &d.failed) })
	m.word("parentToolCallId", &d.parent)
	m.word("errorType", &d.kind)
	m.text("message", &d.message)
	m.word("statusCode", &d.status)
}

var copilotLines = []lineType{{"result", "sessionId exitCode usage"}}

// isCopilotEvent reports whether an event's type is of one of the groups that the program has.
func isCopilotEvent(typ []byte) bool {
	group, _, ok := strings.Cut(string(typ), ".")
	switch group {
	case "session", "user", "system", "assistant", "tool", "model", "hook", "subagent", "skill", "permission":
		return ok
	}
	return false
}

func detectCopilot(h *head) bool {
	return isCopilotEvent(h.typ) && h.has("data", "id", "timestamp", "parentId")
}

func (c *copilot) read(line []byte) error {
	l := &c.line
	*l = copilotLine{}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if end := string(l.typ) == "result"; !end && !l.event || end && (len(l.exit) == 0 || len(l.session) == 0) {
		return errForeign
	}
	if c.s == nil || c.over {
		c.anew()
		c.over, c.list, c.resumed = false, nil, false
	}
	at := instant(l.timestamp)
	if len(l.data.parent) > 0 {
		return nil // a sub-agent's
	}
	switch string(l.typ) {
	case "session.start":
		c.stop()
		c.s, c.over, c.list, c.resumed = c.r.session(c.a, string(l.data.session)), false, nil, false
	case "user.message":
		c.endTurn(at)
		c.s.begin(at)
		// The model of a session that is resumed is informed how many todos there are.
		c.resumed = c.resumed || bytes.Contains(l.data.told, []byte("<todo_status>"))
	case "assistant.message":
		c.s.current(at).recordMessage(l.data.content)
		c.last = chatAnswered
		if len(l.data.calls) > len("[]") && l.data.calls[0] == '[' {
			c.last = chatCalls
		}
	case "tool.execution_start":
		t := c.s.current(at)
		if native.ToolOf(native.Copilot, string(l.data.tool)) != nil && native.AsksTodos(object.Value(l.data.args)) {
			c.s.show(todoCall{id: string(l.data.callID), tool: string(l.data.tool), input: l.data.args})
		} else if c.counted.add(l.data.callID) {
			t.tools++
		}
	case "tool.execution_complete":
		c.applyResult(&l.data, at)
	case "session.error":
		c.s.current(at).failure = failureOf(string(l.data.kind), string(l.data.message), l.data.status)
		c.last = chatFailed
	case "result":
		c.result(l, at)
	case "session.shutdown":
		c.endTurn(at)
	}
	return nil
}

// applyResult applies the result of a query of the table of todos.
func (c *copilot) applyResult(d *copilotData, at todo.Time) {
	call, ok := c.s.popCall(d.callID)
	if !ok {
		return
	}
	if !d.success {
		c.s.rejected(call.named(), string(d.failed), false)
		return
	}
	if c.list == nil && c.resumed && c.r.opt.Saved != nil {
		c.list = c.r.opt.Saved(c.a.kind, c.s.id)
	}
	items, changed := native.ToolOf(native.Copilot, call.tool).Apply(c.list, native.Call{Input: object.Value(call.input), Said: string(d.result)})
	switch {
	case changed:
		c.list = items
		c.s.list(Update{TodoID: call.id, At: at}, slices.Clone(items))
	case items == nil && c.list != nil:
		c.s.warn("%s changes the table of todos in a way that is not read; the list is followed again once the model looks at it", quote(call.id))
	}
}

// result ends the run. Its exit code reports failures; an earlier error contains their kind.
func (c *copilot) result(l *copilotLine, at todo.Time) {
	c.s.name(string(l.session))
	if string(l.exit) != "0" {
		c.last = chatFailed
	}
	c.endTurn(at)
	c.over = true
}

// endTurn ends the turn as its last event shows.
func (c *copilot) endTurn(at todo.Time) {
	c.chat.endTurn(at)
	c.counted.reset()
}

func (c *copilot) stop() {
	if c.s != nil {
		c.endTurn(0)
		c.over = true
	}
}
