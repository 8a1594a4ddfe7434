package agent

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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

	line    cursorLine  // the one that is being read
	counted recent      // ids of the turn's tool calls
	known   []todo.Item // the session's list as it was last, nil if there was none
}

// cursorLine is what we need of a line.
type cursorLine struct {
	typ       word
	subtype   word
	session   word
	timestamp word
	callID    word
	toolCall  value
	isError   bool
	says      value
}

func (l *cursorLine) members(m *members) {
	m.word("type", &l.typ)
	m.word("subtype", &l.subtype)
	m.word("session_id", &l.session)
	m.word("timestamp_ms", &l.timestamp)
	m.word("call_id", &l.callID)
	m.value("tool_call", &l.toolCall)
	m.truth("is_error", &l.isError)
	m.value("result", &l.says)
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
func detectCursor(h *head) bool {
	return string(h.typ) == "system" && string(h.subtype) == "init" &&
		(h.has("session_id", "apiKeySource") || h.has("session_id", "cwd", "model", "permissionMode")) &&
		!h.has("tools") && !h.has("claude_code_version") && !h.has("qwen_code_version")
}

func (c *cursor) read(line []byte) error {
	l := &c.line
	*l = cursorLine{}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	typ := string(l.typ)
	init := typ == "system" && string(l.subtype) == "init"
	if c.s == nil || init || len(l.session) > 0 && string(l.session) != c.s.id {
		c.stop()
		if s := c.r.session(c.a, string(l.session)); s != c.s {
			c.s, c.known = s, nil
		}
	}
	at := millis(l.timestamp)
	switch typ {
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
	k := walker{b: v}
	for key, more := k.object(); more; key, more = k.key() {
		one := k.value()
		tool := bytes.HasSuffix(key, []byte("ToolCall")) || string(key) == "function" // which holds a tool of any name
		if tool && one[0] == '{' && (name == "" || string(key) < name) {
			name, call = string(key), one
		}
	}
	if name == "function" {
		name = string(call.member("name").word())
	}
	return name, call
}

func (c *cursor) call(l *cursorLine, at todo.Time) {
	if c.counted.has(l.callID) {
		return
	}
	name, call := cursorTool(l.toolCall)
	t := c.s.current(at)
	switch tool := native.ToolOf(native.Cursor, name); {
	case tool != nil && tool.Does == native.Writes:
		c.update(l, name, call, at)
		return
	case tool != nil, name == "getMcpToolsToolCall": // they only look, at the list or at what tools there are
		return
	}
	t.tools++
	if len(l.callID) > 0 {
		c.counted.add(l.callID)
	}
}

// update applies a completed call if its result reports success.
func (c *cursor) update(l *cursorLine, name string, call value, at todo.Time) {
	id := string(l.callID)
	result, args := call.member("result"), call.member("args")
	switch success := result.member("success"); {
	case len(success) > 0 && success[0] != 'n' && success[0] != 'f':
	case string(l.subtype) == "completed" && len(result) > 2 && result[0] == '{':
		c.s.popCall(l.callID)
		c.s.rejected(Call{Tool: name, ID: id}, "", false)
		return
	default:
		c.s.show(todoCall{id: id, tool: name})
		return
	}
	c.s.popCall(l.callID)
	list := listIn(result.member("success"), result)
	var inferred []string
	if list == nil && args.member("merge").truth() {
		if c.known == nil && c.r.opt.Saved != nil {
			c.known = c.r.opt.Saved(c.a.kind, c.s.id)
		}
		if c.known == nil {
			inferred = []string{InferredItems}
		}
		list = native.Patch(c.known, jsontext.Value(args.member("todos")))
	} else if list == nil {
		list = listIn(args)
	}
	if items, ok := c.s.accepted(id, list); ok {
		if !list.Unread() {
			c.known = items
		}
		c.s.list(Update{TodoID: id, At: at, Inferred: inferred}, slices.Clone(items))
	}
}

func (c *cursor) result(l *cursorLine, at todo.Time) {
	t := c.s.current(at)
	says, subtype := string(l.says.text()), string(l.subtype)
	t.recordMessage([]byte(says))
	status := continuation.Done
	switch {
	case strings.Contains(subtype, "cancel"), strings.Contains(subtype, "abort"):
		status = continuation.Aborted
	case l.isError:
		status = continuation.Failed
		t.failure = failureOf(subtype, says, nil)
	}
	c.s.close(status, at)
	c.counted.reset()
}

func (c *cursor) stop() {
	c.single.stop()
	c.counted.reset()
}
