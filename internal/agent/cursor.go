package agent

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// cursor reads `cursor-agent -p --output-format stream-json`. One run is one turn: init begins it, result ends it.
//
// A call has two lines, started and completed, and the tool is the name of a member.
// An update of the list may name single items (merge); its result then holds the whole list.
type cursor struct {
	r *Reader
	a *adapter
	s *stream

	calls   todoCalls
	counted map[string]struct{} // ids of the turn's tool calls
	known   nativeItems         // the list as it was last, nil if there was none
}

// cursorLine is what we need of a line.
type cursorLine struct {
	Type      word           `json:"type"`
	Subtype   word           `json:"subtype"`
	Session   word           `json:"session_id"`
	Timestamp word           `json:"timestamp_ms"`
	CallID    word           `json:"call_id"`
	ToolCall  jsontext.Value `json:"tool_call"`
	IsError   truth          `json:"is_error"`
	Result    word           `json:"result"`
}

// cursorCall is the value of the member that names the tool.
type cursorCall struct {
	Args   cursorTodos    `json:"args"`
	Result jsontext.Value `json:"result"`
	Name   word           `json:"name"` // of the member "function", which holds a tool of any name
}

// cursorTodos are the arguments of an update, and what a result says of one that succeeded.
type cursorTodos struct {
	Todos nativeItems `json:"todos"`
	Final nativeItems `json:"finalTodos"` // of a result, in some versions
	Merge truth       `json:"merge"`
}

func (t *cursorTodos) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain cursorTodos
	return objectOrNothing(d, (*plain)(t))
}

func openCursor(r *Reader, a *adapter) parser { return &cursor{r: r, a: a} }

// detectCursor knows an init line by what others have and it has not.
func detectCursor(h *head) bool {
	switch h.typ {
	case "system":
		return h.subtype == "init" && (h.has("session_id", "apiKeySource") || h.has("session_id", "cwd", "model", "permissionMode")) &&
			!h.has("tools") && !h.has("claude_code_version") && !h.has("qwen_code_version")
	case "tool_call":
		return h.has("subtype", "tool_call")
	}
	return false
}

func (c *cursor) knows(typ string) bool {
	switch typ {
	case "system", "user", "assistant", "thinking", "tool_call", "result":
		return true
	}
	return false
}

func (c *cursor) stream() *stream { return c.s }

// skim leaves out what is said and thought, and the results of calls that were counted when they started.
func (c *cursor) skim(line []byte) bool {
	typ, _ := quickType(line)
	if string(typ) == "error" {
		return false // it may be all that another agent prints
	}
	pass := false
	switch string(typ) {
	case "user", "thinking":
		pass = true
	case "assistant":
		pass = c.s.newest() != nil
	case "tool_call":
	default:
		return false
	}
	w := walker{b: line}
	if !w.enter('{') {
		return false
	}
	for name, more := w.key(); more; name, more = w.key() {
		switch string(name) {
		case "session_id":
			if id, ok := w.word(); !ok || string(id) != c.s.id {
				return false
			}
		case "call_id":
			// Its ids have a line break inside.
			if id, ok := w.text(); ok && c.calls.find(id) < 0 {
				_, counted := c.counted[id]
				pass = pass || counted
			}
		default:
			w.skip()
		}
	}
	return pass && !w.bad
}

func (c *cursor) read(line []byte) error {
	var l cursorLine
	if err := decode(line, &l, c.r.decodeAll); err != nil {
		return err
	}
	init := l.Type == "system" && l.Subtype == "init"
	if c.s == nil || init || l.Session != "" && string(l.Session) != c.s.id {
		c.stop()
		c.s = c.r.session(c.a, string(l.Session))
		c.known = nil
	}
	at := millis(l.Timestamp)
	switch l.Type {
	case "system":
		if init {
			c.s.begin(at)
		}
	case "assistant":
		c.s.current(at)
	case "tool_call":
		c.call(&l, at)
	case "result":
		c.result(&l, at)
	}
	return nil
}

// cursorTool finds the tool's member among those that say more about the call.
func cursorTool(v jsontext.Value) (name string, call cursorCall) {
	members, _ := objectAs[map[string]jsontext.Value](v)
	for key, value := range members {
		if !strings.HasSuffix(key, "ToolCall") && key != "function" {
			continue
		}
		if one, ok := objectAs[cursorCall](value); ok && (name == "" || key < name) {
			name, call = key, one
		}
	}
	if name == "function" {
		name = string(call.Name)
	}
	return name, call
}

func (c *cursor) call(l *cursorLine, at todo.Time) {
	if _, counted := c.counted[string(l.CallID)]; counted {
		return
	}
	name, call := cursorTool(l.ToolCall)
	t := c.s.current(at)
	switch name {
	case "updateTodosToolCall", "todoToolCall", "todoWriteToolCall", "todo_write":
		c.update(l, name, &call, at)
		return
	case "readTodosToolCall", "getMcpToolsToolCall": // they only look, at the list or at what tools there are
		return
	}
	t.tools++
	if l.CallID != "" {
		c.counted[string(l.CallID)] = struct{}{}
	}
}

// update applies a call that has completed, if its result says success.
func (c *cursor) update(l *cursorLine, name string, call *cursorCall, at todo.Time) {
	id := string(l.CallID)
	members, _ := objectAs[map[string]jsontext.Value](call.Result)
	success, ok := members["success"]
	switch {
	case ok && success.Kind() != jsontext.KindNull && success.Kind() != jsontext.KindFalse:
	case l.Subtype == "completed" && len(members) > 0:
		c.calls.take(id)
		c.s.rejected(Call{Tool: name, ID: id}, "", false)
		return
	default:
		c.calls.add(c.s, todoCall{id: id, tool: name})
		return
	}
	c.calls.take(id)
	native := call.Args.Todos
	var inferred []string
	if stored := cursorStored(success, call.Result); stored != nil {
		native = stored
	} else if bool(call.Args.Merge) && native != nil {
		if c.known == nil {
			inferred = []string{InferredItems}
		}
		native = merge(c.known, native)
	}
	if native == nil {
		c.s.warn("%s was accepted, but holds no list", quote(id))
		return
	}
	c.known = native
	c.s.list(Update{TodoID: id, At: at, Inferred: inferred}, c.s.items(native))
}

// cursorStored finds the whole list in a result.
func cursorStored(places ...jsontext.Value) nativeItems {
	for _, v := range places {
		stored, _ := objectAs[cursorTodos](v)
		switch {
		case stored.Todos != nil:
			return stored.Todos
		case stored.Final != nil:
			return stored.Final
		}
	}
	return nil
}

// merge changes the items of a list that are named by their ids, and appends the others.
func merge(list, changes nativeItems) nativeItems {
	list = slices.Clone(list)
	for _, n := range changes {
		i := slices.IndexFunc(list, func(old nativeItem) bool { return n.ID != "" && old.ID == n.ID })
		if i < 0 {
			list = append(list, n)
			continue
		}
		old := &list[i]
		if n.Content != "" {
			old.Content = n.Content
		}
		if n.Status != "" {
			old.Status = n.Status
		}
		if n.Dependencies != nil {
			old.Dependencies = n.Dependencies
		}
	}
	return list
}

// cursorStatus reads the long form of a status, such as TODO_STATUS_IN_PROGRESS.
func cursorStatus(word string) (todo.Status, bool) {
	rest, ok := strings.CutPrefix(word, "TODO_STATUS_")
	if !ok || rest != strings.ToUpper(rest) {
		return "", false
	}
	status, err := todo.ParseStatus(strings.ToLower(rest))
	return status, err == nil
}

func (c *cursor) result(l *cursorLine, at todo.Time) {
	t := c.s.current(at)
	t.text.reset()
	t.text.add(string(l.Result))
	status := continuation.Done
	switch {
	case strings.Contains(string(l.Subtype), "cancel"), strings.Contains(string(l.Subtype), "abort"):
		status = continuation.Aborted
	case bool(l.IsError):
		status = continuation.Failed
		t.failure = failure{code: spokenStatus(string(l.Result)), kind: string(l.Subtype), text: string(l.Result)}
	}
	c.calls.drop(c.s)
	c.s.end(status, at)
	c.counted = make(map[string]struct{})
}

func (c *cursor) stop() {
	if c.s != nil {
		c.calls.drop(c.s)
		c.s.cut()
	}
	c.counted = make(map[string]struct{})
}
