package cursor

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/agents/claude"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// The names of Cursor and of what it writes.
const (
	Kind stream.Kind = "cursor"

	Stream stream.Format = "cursor"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`cursor-agent -p --output-format stream-json`", List: "`updateTodosToolCall`", Untried: true,
		Lines: lines, Detect: detect, New: func() stream.Parser { return new(parser) }, LooksLikeOthers: true, LooksLike: claude.Stream,
	},
}

// parser reads `cursor-agent -p --output-format stream-json`. One run is one turn: init begins it, result ends it.
//
// A call has two lines, started and completed, and the tool is the name of a member.
// An update of the list may name single items (merge); its result then holds the whole list.
type parser struct {
	stream.SequentialSessions

	known []todo.Item // the session's list as it was last, nil if there was none
}

var lines = []stream.LineType{
	{Name: "system"},
	{Name: "user"},
	{Name: "assistant"},
	{Name: "thinking"},
	{Name: "tool_call", Marks: "subtype tool_call"},
	{Name: "result"},
}

// detect knows an init line by what others have and it has not.
func detect(l *stream.Line) bool {
	return l.Is("system") && string(l.Word("subtype")) == "init" &&
		(l.Has("session_id", "apiKeySource") || l.Has("session_id", "cwd", "model", "permissionMode")) &&
		!l.Has("tools")
}

func (c *parser) Read(l *stream.Line) error {
	init := l.Is("system") && string(l.Word("subtype")) == "init"
	if id := string(l.Word("session_id")); c.Session == nil || init || id != "" && id != c.Session.ID {
		c.Stop()
		if s := c.Open(id); s != c.Session {
			c.Session, c.known = s, nil
		}
	}
	at := stream.ParseMillis(l.Word("timestamp_ms"))
	switch string(l.Type) {
	case "system":
		if init {
			c.Session.NoteModel(l.Word("model"))
			c.Session.BeginTurn(at)
		}
	case "assistant":
		c.Session.CurrentTurn(at)
	case "tool_call":
		c.call(l, at)
	case "result":
		c.result(l, at)
	}
	return nil
}

// toolOf finds the tool's member among those that describe the call: the first one by its name.
func toolOf(v stream.Value) (name string, call stream.Value) {
	for one := range v.Values('{') {
		key := string(one.Name())
		tool := strings.HasSuffix(key, "ToolCall") || key == "function" // which holds a tool of any name
		if tool && one.Kind() == '{' && (name == "" || key < name) {
			name, call = key, one
		}
	}
	if name == "function" {
		name = string(call.Word("name"))
	}
	return name, call
}

func (c *parser) call(l *stream.Line, at todo.Time) {
	id := l.Word("call_id")
	name, call := toolOf(l.Member("tool_call"))
	t := c.Session.CurrentTurn(at)
	switch tool := tools.Find(name); {
	case tool != nil && tool.Does == native.Writes:
		c.applyCall(stream.AwaitedTodoCall{ID: string(id), Tool: tool}, string(l.Word("subtype")) == "completed", call, at)
		return
	case tool != nil, name == "getMcpToolsToolCall": // they only look, at the list or at what tools there are
		return
	}
	c.Session.CountCall(t, id, strings.TrimSuffix(name, "ToolCall"), call.Member("args").Raw())
	if string(l.Word("subtype")) == "completed" {
		c.Session.NoteResult(id)
		if result := call.Member("result"); result.Kind() == '{' && !result.Has("success") {
			c.Session.NoteFailedCall(id)
		}
	} else {
		c.Session.ExpectResult(id)
	}
}

// applyCall applies a completed call if its result reports success.
func (c *parser) applyCall(call stream.AwaitedTodoCall, completed bool, said stream.Value, at todo.Time) {
	result, args := said.Member("result"), said.Member("args")
	switch success := result.Member("success").Kind(); {
	case success != 0 && success != 'n' && success != 'f':
	case completed && result.Kind() == '{' && len(result.Raw()) > 2:
		c.Session.PopCall(stream.Word(call.ID))
		c.Session.Reject(call, "", false)
		return
	default:
		c.Session.RecordPartialCall(call)
		return
	}
	c.Session.PopCall(stream.Word(call.ID))
	list := native.ListIn(result.Member("success").Raw(), result.Raw())
	var inferred []string
	if list == nil && args.IsTrue("merge") {
		if c.known == nil {
			saved, _ := c.Session.Saved()
			c.known = saved.Items
		}
		if c.known == nil {
			inferred = []string{stream.InferredItems}
		}
		list = native.Patch(c.known, args.Member("todos").Raw())
	} else if list == nil {
		list = native.ListIn(args.Raw())
	}
	if items, ok := c.Session.Accepted(call, list); ok {
		if !list.NoneKept() {
			c.known = items
		}
		c.Session.EmitList(stream.Update{TodoID: call.ID, At: at, Inferred: inferred}, slices.Clone(items))
	}
}

func (c *parser) result(l *stream.Line, at todo.Time) {
	t := c.Session.CurrentTurn(at)
	says, subtype := string(l.Text("result")), string(l.Word("subtype"))
	t.RecordMessage([]byte(says))
	status := continuation.Done
	switch {
	case strings.Contains(subtype, "cancel"), strings.Contains(subtype, "abort"):
		status = continuation.Aborted
	case l.IsTrue("is_error"):
		status = continuation.Failed
		t.Failure = stream.FailureOf(subtype, cmp.Or(says, l.Member("error").Message()), nil)
	}
	t.Usage = l.Member("usage").Usage("outputTokens", "inputTokens", "cacheReadTokens", "cacheWriteTokens") // of the run
	t.Usage.Cached = stream.ParseCount(l.Word("usage", "cacheReadTokens"))
	c.Session.CloseTurn(status, at)
}
