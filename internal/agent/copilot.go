package agent

import (
	"bytes"
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// copilot reads `copilot -p --output-format json`, and the file in which Copilot CLI keeps the same
// events, events.jsonl.
//
// A turn is what follows a user's message, and ends as its last message shows; a run ends with a
// result, which names the session. The list is a table in the program's own database, which the
// model's calls of the tool sql change.
type copilot struct {
	single
	list    []todo.Item // the table's, as far as it is known
	resumed bool        // the table has rows from before
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

func detectCopilot(l *line) bool {
	return isCopilotEvent(l.typ) && l.has("data", "id", "timestamp", "parentId")
}

func (c *copilot) read(l *line) error {
	d := l.member("data")
	if end := l.is("result"); !end && d.kind() != '{' || end && (len(l.word("exitCode")) == 0 || len(l.word("sessionId")) == 0) {
		return errForeign
	}
	if l.is("session.start") {
		c.stop()
		c.s, c.over, c.list, c.resumed = c.r.session(c.a, string(d.word("sessionId"))), false, nil, false
		return nil
	}
	if c.anew() {
		c.list, c.resumed = nil, false
	}
	at := instant(l.word("timestamp"))
	if len(d.word("parentToolCallId")) > 0 {
		return nil // a sub-agent's
	}
	switch string(l.typ) {
	case "user.message":
		c.s.conclude(at)
		c.s.begin(at)
		// The model of a session that is resumed is informed how many todos there are.
		c.resumed = c.resumed || bytes.Contains(d.member("transformedContent").raw(), []byte("<todo_status>"))
	case "assistant.message":
		t := c.s.current(at)
		t.recordMessage(d.text("content"))
		t.last = lastAnswer
		if asked := d.member("toolRequests"); asked.kind() == '[' && len(asked.raw()) > len("[]") {
			t.last = lastCalls
		}
	case "tool.execution_start":
		t, id, args := c.s.current(at), d.word("toolCallId"), d.member("arguments").raw()
		if tool := native.ToolOf(native.Copilot, string(d.word("toolName"))); tool != nil && native.AsksTodos(args) {
			c.s.show(todoCall{id: string(id), tool: tool, input: args})
		} else {
			t.count(id)
			c.s.runs(id)
		}
	case "tool.execution_complete":
		c.applyResult(d, at)
	case "session.error":
		t := c.s.current(at)
		t.failure = failureOf(string(d.word("errorType")), string(d.text("message")), d.word("statusCode"))
		t.last = lastFailure
	case "result":
		c.result(l, at)
	case "session.shutdown":
		c.s.conclude(at)
	}
	return nil
}

// applyResult applies the result of a query of the table of todos.
func (c *copilot) applyResult(d value, at todo.Time) {
	call, ok := c.s.popCall(d.word("toolCallId"))
	if !ok {
		return
	}
	if !d.isTrue("success") {
		c.s.rejected(call, string(d.text("error", "message")), false)
		return
	}
	if c.list == nil && c.resumed && c.r.opt.Saved != nil {
		c.list = c.r.opt.Saved(c.a.kind, c.s.id).Items
	}
	items, changed := call.tool.Apply(native.Saved{Items: c.list}, native.Call{Input: call.input, Said: string(d.text("result", "content"))})
	switch {
	case changed:
		c.list = items
		c.s.list(Update{Event: continuation.Event{Removes: true}, TodoID: call.id, At: at}, slices.Clone(items))
	case items == nil && c.list != nil:
		c.s.warn("%s changes the table of todos in a way that is not read; the list is followed again once the model looks at it", quote(call.id))
	}
}

// result ends the run. Its exit code reports failures; an earlier error contains their kind.
func (c *copilot) result(l *line, at todo.Time) {
	c.s.name(string(l.word("sessionId")))
	if string(l.word("exitCode")) != "0" {
		c.s.ends(lastFailure)
	}
	c.s.conclude(at)
	c.over = true
}

// copilotProgram is how Copilot CLI is started. It takes the prompt as an argument only.
func copilotProgram() Program {
	return Program{
		Name:    "copilot",
		Command: []string{"copilot", "--output-format", "json"},
		Resume:  []string{"--resume"},
		Prompt:  "--prompt",
		Install: "npm install -g @github/copilot",
		Rights:  "--allow-tool write",
	}
}
