package agent

import (
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// codex reads `codex exec --json`.
//
// A todo_list item is already a result: a refused update_plan call prints nothing on this stream.
// Ids of items begin at item_0 in every process, so an id counts within its thread and turn only.
type codex struct {
	single
	outer *stream            // the thread inside whose turn this one began
	total continuation.Usage // of a thread without an id
}

// codexKind is what a type of items means for us. Those of calls and of lists belong to a turn.
type codexKind int

const (
	codexUnknown codexKind = iota
	codexLists
	codexCalls
	codexSays
	codexOther
)

func codexKindOf(typ word) codexKind {
	switch string(typ) {
	case "todo_list":
		return codexLists
	case "command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search":
		return codexCalls
	case "agent_message", "assistant_message":
		return codexSays
	case "reasoning", "error":
		return codexOther
	}
	return codexUnknown
}

var codexLines = []lineType{
	{"thread.started", "thread_id"},
	{"turn.started", ""},
	{"turn.completed", ""},
	{"turn.failed", "error"},
	{"item.started", "item"},
	{"item.updated", "item"},
	{"item.completed", "item"},
	{"error", unmarked},
}

// codexResets precede the time in the texts "You've hit your usage limit. … try again at 6:34 AM" and "Please try again
// in 3 days 4 hours 12 minutes", and in the host's own answer where that is quoted.
var codexResets = [...]string{"try again at", "try again in", "resets_at", "resets_in_seconds"}

func (c *codex) read(l *line) error {
	it := l.member("item")
	kind := codexKindOf(it.either("type", "item_type").word()) // as it was named before October 2025
	typ := string(l.typ)
	item := typ == "item.started" || typ == "item.updated" || typ == "item.completed"
	if item && kind == codexUnknown {
		return errUnknownType
	}
	if typ == "thread.started" {
		c.thread(string(l.word("thread_id")))
		return nil
	}
	if c.s == nil {
		c.thread("")
	}
	if c.s.over && (typ == "turn.completed" || typ == "turn.failed" || item && (kind == codexLists || kind == codexCalls)) {
		c.resumeOuter()
	}
	switch {
	case typ == "turn.started":
		c.stop()
		c.s.begin(0)
	case (typ == "turn.completed" || typ == "turn.failed") && c.s.again():
	case typ == "turn.completed":
		total := l.member("usage").usage("output_tokens", "input_tokens")
		total.Cached = count(l.word("usage", "cached_input_tokens"))
		c.s.current(0).usage = c.used(total)
		c.s.end(continuation.Done, 0)
	case typ == "turn.failed":
		c.s.current(0).failure = failureOf("", l.member("error").message(), nil)
		c.s.end(continuation.Failed, 0)
	case item:
		c.item(it, kind, typ == "item.completed")
	}
	return nil
}

// used returns what a turn used, for which Codex reports the total of its thread so far. A resume continues that total,
// so the one before may have been reported in another stream, which is found by the thread's id.
func (c *codex) used(total continuation.Usage) continuation.Usage {
	if total != (continuation.Usage{}) {
		total.Thread = native.ID(c.s.id)
	}
	if c.s.id != "" {
		return total
	}
	before := c.total
	c.total = total
	return total.Since(before)
}

// thread goes to a thread. One that begins inside a turn means that the turn before has no end:
// its process was stopped. A resumed thread prints its old id.
func (c *codex) thread(id string) {
	c.outer = nil
	if c.s != nil && c.s.newest() != nil {
		c.outer = c.s
	}
	c.stop()
	c.s = c.r.session(c.a, id)
	c.s.over = false
}

// resumeOuter returns to the thread inside whose turn another one began, where lines follow the other one's end:
// a run has one turn, so they are not its own. A log of both outputs can hold the stream of an
// agent that this one called.
func (c *codex) resumeOuter() {
	if c.outer == nil || c.outer.left || c.outer == c.s {
		return
	}
	inner := c.s.id
	c.s, c.outer = c.outer, nil
	c.s.warn("the stream continues after that of %s, which is nested in it", quote(inner))
	c.s.current(0)
}

func (c *codex) item(it value, kind codexKind, completed bool) {
	switch kind {
	case codexLists:
		c.todoList(it, completed)
	case codexCalls:
		// A call has up to three lines; a kind of call that takes no time has only the last one.
		if id := it.word("id"); len(id) > 0 || completed {
			c.s.current(0).count(id)
			if completed {
				c.s.returned(id)
			} else {
				c.s.runs(id)
			}
		}
	case codexSays:
		if t := c.s.newest(); t != nil && completed {
			t.recordMessage(it.text("text"))
		}
	}
}

// todoList returns a list. Item.completed comes at the end of the turn, whatever end that is,
// and repeats the list as it was: it completes neither the list nor the turn.
func (c *codex) todoList(it value, completed bool) {
	list, id := it.member("items").list(), it.word("id")
	if list == nil {
		c.s.called = true
		c.s.warn("item %s is a todo list, but holds no list", quote(string(id)))
		return
	}
	t := c.s.current(0)
	if completed && t.told != nil && todo.Equal(t.told, list.Items) {
		return
	}
	t.told = list.Items
	var inferred []string
	if todo.Count(list.Items).Open > 0 {
		inferred = []string{InferredStatus}
	}
	c.s.list(Update{TodoID: string(id), Inferred: inferred}, c.s.items(list))
}

func (c *codex) stop() {
	if c.s != nil {
		c.s.cut(0)
	}
}

// codexProgram is how Codex is started.
func codexProgram() Program {
	return Program{
		Name:    "codex",
		Command: []string{"codex", "exec", "--json", "-c", "tools.update_plan.enabled=true"},
		Resume:  []string{"resume"},
		Ends:    []string{"-"},
		Install: "npm install -g @openai/codex",
		Rights:  "--sandbox workspace-write",
	}
}
