package agent

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// codex reads `codex exec --json`.
//
// A todo_list item is already a result: a refused update_plan call prints nothing on this stream.
// Ids of items begin at item_0 in every process, so an id counts within its thread and turn only.
type codex struct {
	r *Reader
	a *adapter
	s *stream

	counted map[string]struct{} // ids of the turn's tool calls
	listID  string              // the list that was given last in this turn
	list    []codexTodo
	listed  bool
}

// codexLine is what we need of a line.
type codexLine struct {
	Type     word      `json:"type"`
	ThreadID word      `json:"thread_id"`
	Item     codexItem `json:"item"`
	Error    codexFail `json:"error"`
	Message  word      `json:"message"`
}

type codexItem struct {
	ID    word       `json:"id"`
	Type  word       `json:"type"`
	Text  word       `json:"text"`
	Items codexTodos `json:"items"`
}

type codexTodo struct {
	Text      word  `json:"text"`
	Completed truth `json:"completed"`
}

type codexTodos []codexTodo

func (l *codexTodos) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*l = codexTodos{}
	return eachElement(d, func() error {
		v, err := d.ReadValue()
		if err != nil {
			return err
		}
		item, _ := objectAs[codexTodo](v)
		*l = append(*l, item)
		return nil
	})
}

// codexFail is why a turn failed; some forks write a bare string.
type codexFail struct {
	Message word `json:"message"`
}

func (f *codexFail) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain codexFail
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	if p, ok := objectAs[plain](v); ok {
		*f = codexFail(p)
		return nil
	}
	return json.Unmarshal(v, &f.Message)
}

// codexRole says what an item's type means for us.
type codexRole int

const (
	codexUnknown codexRole = iota
	codexOther             // known, and nothing to us
	codexList
	codexTool
	codexSays
)

func codexRoleOf(typ string) codexRole {
	switch typ {
	case "todo_list":
		return codexList
	case "command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search":
		return codexTool
	case "agent_message":
		return codexSays
	case "reasoning", "error":
		return codexOther
	}
	return codexUnknown
}

func openCodex(r *Reader, a *adapter) parser { return &codex{r: r, a: a} }

func detectCodex(h *head) bool {
	switch h.typ {
	case "thread.started":
		return h.has("thread_id")
	case "turn.started", "turn.completed":
		return true
	case "turn.failed":
		return h.has("error")
	case "item.started", "item.updated", "item.completed":
		return h.has("item")
	}
	return false
}

func (c *codex) knows(typ string) bool {
	switch typ {
	case "thread.started", "turn.started", "turn.completed", "turn.failed",
		"item.started", "item.updated", "item.completed", "error":
		return true
	}
	return false
}

func (c *codex) stream() *stream { return c.s }

// skim looks at an item's id and type, which stand at the beginning of the line, before the output of a command.
func (c *codex) skim(line []byte) bool {
	k := walker{b: line}
	if !k.enter('{') {
		return false
	}
	var typ []byte
	for name, more := k.key(); more; name, more = k.key() {
		switch string(name) {
		case "type":
			typ, _ = k.word()
		case "item":
			switch string(typ) {
			case "item.started", "item.updated", "item.completed":
				return k.enter('{') && c.passesItem(&k)
			}
			return false
		default:
			k.skip()
		}
	}
	return false
}

func (c *codex) passesItem(k *walker) bool {
	var id, typ, text []byte
	for name, more := k.key(); more; name, more = k.key() {
		switch string(name) {
		case "id":
			id, _ = k.word()
		case "type":
			typ, _ = k.word()
		case "text":
			text, _ = k.raw()
		default:
			k.skip()
		}
		if typ == nil || id == nil || k.bad {
			continue
		}
		switch codexRoleOf(string(typ)) {
		case codexTool:
			_, counted := c.counted[string(id)]
			return counted
		case codexOther:
			return true
		case codexSays:
			if text != nil {
				return !c.s.pausing() && !mayHold(text, pauseMark)
			}
		default:
			return false
		}
	}
	return false
}

func (c *codex) read(line []byte) error {
	var l codexLine
	if err := decode(line, &l, c.r.decodeAll); err != nil {
		return err
	}
	switch l.Type {
	case "item.started", "item.updated", "item.completed":
		if codexRoleOf(string(l.Item.Type)) == codexUnknown {
			return errUnknownType
		}
	}
	if l.Type == "thread.started" {
		c.thread(string(l.ThreadID))
		return nil
	}
	if c.s == nil {
		c.thread("")
	}
	switch l.Type {
	case "turn.started":
		c.stop()
		c.s.begin(0)
	case "turn.completed":
		c.end(continuation.Done)
	case "turn.failed":
		text := string(l.Error.Message)
		c.s.current(0).failure = failure{code: spokenStatus(text), text: text}
		c.end(continuation.Failed)
	case "item.started", "item.updated", "item.completed":
		c.item(&l)
	}
	return nil
}

// thread goes to a thread. One that begins inside a turn means that the turn before has no end:
// its process was stopped. A resumed thread prints its old id.
func (c *codex) thread(id string) {
	c.stop()
	c.s = c.r.session(c.a, id)
	c.forget()
}

func (c *codex) end(status continuation.TurnStatus) {
	c.s.current(0)
	c.s.end(status, 0)
	c.forget()
}

func (c *codex) forget() {
	c.counted = make(map[string]struct{})
	c.listID, c.list, c.listed = "", nil, false
}

func (c *codex) item(l *codexLine) {
	it := &l.Item
	switch codexRoleOf(string(it.Type)) {
	case codexList:
		c.todoList(l)
	case codexTool:
		// A call has up to three lines; a kind of call that takes no time has only the last one.
		if _, counted := c.counted[string(it.ID)]; !counted {
			c.counted[string(it.ID)] = struct{}{}
			c.s.current(0).tools++
		}
	case codexSays:
		if t := c.s.newest(); t != nil && l.Type == "item.completed" {
			t.text.reset()
			t.text.add(string(it.Text))
		}
	}
}

// todoList gives a list. Item.completed comes at the end of the turn, whatever end that is,
// and repeats the list as it was: it completes neither the list nor the turn.
func (c *codex) todoList(l *codexLine) {
	it := &l.Item
	native := []codexTodo(it.Items)
	if l.Type == "item.completed" {
		same := c.listed && c.listID == string(it.ID) && slices.Equal(c.list, native)
		if same {
			return
		}
	}
	c.s.current(0)
	c.listID, c.list, c.listed = string(it.ID), native, true

	items := make([]todo.Item, 0, len(native))
	var inferred []string
	for i, n := range native {
		item := todo.Item{Content: string(n.Text), Status: todo.Pending}
		if n.Completed {
			item.Status = todo.Completed
		} else if inferred == nil {
			inferred = []string{InferredStatus}
		}
		items = c.s.keepItem(items, i, item)
	}
	c.s.list(Update{TodoID: string(it.ID), Inferred: inferred}, items)
}

func (c *codex) stop() {
	if c.s != nil {
		c.s.cut()
		c.forget()
	}
}
