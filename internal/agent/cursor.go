package agent

import (
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// cursor reads `cursor-agent -p --output-format stream-json`. One run is one turn: init begins it, result ends it.
//
// A call has two lines, started and completed, and the tool is the name of a member.
// An update of the list may name single items (merge); its result then holds the whole list.
type cursor struct {
	single

	known []todo.Item // the session's list as it was last, nil if there was none
}

var cursorLines = []lineType{
	{"system", unmarked},
	{"user", unmarked},
	{"assistant", unmarked},
	{"thinking", unmarked},
	{"tool_call", "subtype tool_call"},
	{"result", unmarked},
}

// detectCursor knows an init line by what others have and it has not.
func detectCursor(l *line) bool {
	return l.is("system") && string(l.word("subtype")) == "init" &&
		(l.has("session_id", "apiKeySource") || l.has("session_id", "cwd", "model", "permissionMode")) &&
		!l.has("tools") && !l.has("claude_code_version") && !l.has("qwen_code_version")
}

func (c *cursor) read(l *line) error {
	init := l.is("system") && string(l.word("subtype")) == "init"
	if id := string(l.word("session_id")); c.s == nil || init || id != "" && id != c.s.id {
		c.stop()
		if s := c.r.session(c.a, id); s != c.s {
			c.s, c.known = s, nil
		}
	}
	at := millis(l.word("timestamp_ms"))
	switch string(l.typ) {
	case "system":
		if init {
			c.s.begin(at)
		}
	case "assistant":
		c.s.current(at)
	case "tool_call":
		c.call(l, at)
	case "result":
		c.result(l, at)
	}
	return nil
}

// cursorTool finds the tool's member among those that describe the call: the first one by its name.
func cursorTool(v value) (name string, call value) {
	for one := range v.values('{') {
		key := string(one[0].name)
		tool := strings.HasSuffix(key, "ToolCall") || key == "function" // which holds a tool of any name
		if tool && one.kind() == '{' && (name == "" || key < name) {
			name, call = key, one
		}
	}
	if name == "function" {
		name = string(call.word("name"))
	}
	return name, call
}

func (c *cursor) call(l *line, at todo.Time) {
	id := l.word("call_id")
	name, call := cursorTool(l.member("tool_call"))
	t := c.s.current(at)
	switch tool := native.ToolOf(native.Cursor, name); {
	case tool != nil && tool.Does == native.Writes:
		c.update(todoCall{id: string(id), tool: tool}, string(l.word("subtype")) == "completed", call, at)
		return
	case tool != nil, name == "getMcpToolsToolCall": // they only look, at the list or at what tools there are
		return
	}
	t.count(id)
	if string(l.word("subtype")) == "completed" {
		c.s.returned(id)
	} else {
		c.s.runs(id)
	}
}

// update applies a completed call if its result reports success.
func (c *cursor) update(call todoCall, completed bool, said value, at todo.Time) {
	result, args := said.member("result"), said.member("args")
	switch success := result.member("success").kind(); {
	case success != 0 && success != 'n' && success != 'f':
	case completed && result.kind() == '{' && len(result.raw()) > 2:
		c.s.popCall(word(call.id))
		c.s.rejected(call, "", false)
		return
	default:
		c.s.show(call)
		return
	}
	c.s.popCall(word(call.id))
	list := native.ListIn(result.member("success").raw(), result.raw())
	var inferred []string
	if list == nil && args.isTrue("merge") {
		if c.known == nil && c.r.opt.Saved != nil {
			c.known = c.r.opt.Saved(c.a.kind, c.s.id).Items
		}
		if c.known == nil {
			inferred = []string{InferredItems}
		}
		list = native.Patch(c.known, args.member("todos").raw())
	} else if list == nil {
		list = native.ListIn(args.raw())
	}
	if items, ok := c.s.accepted(call.id, list); ok {
		if !list.Unread() {
			c.known = items
		}
		c.s.list(Update{TodoID: call.id, At: at, Inferred: inferred}, slices.Clone(items))
	}
}

func (c *cursor) result(l *line, at todo.Time) {
	t := c.s.current(at)
	says, subtype := string(l.text("result")), string(l.word("subtype"))
	t.recordMessage([]byte(says))
	status := continuation.Done
	switch {
	case strings.Contains(subtype, "cancel"), strings.Contains(subtype, "abort"):
		status = continuation.Aborted
	case l.isTrue("is_error"):
		status = continuation.Failed
		t.failure = failureOf(subtype, says, nil)
	}
	c.s.close(status, at)
}
