package codex

import (
	"slices"

	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// The names of Codex and of what it writes.
const (
	Kind stream.Kind = "openai-codex"

	Stream  stream.Format = "codex"
	Rollout stream.Format = "codex-rollout"
	Server  stream.Format = "codex-app-server"
)

// hint tells how the todo tool is switched on.
const hint = "Codex's plan tool is off by default since 0.152.0; start it with -c tools.update_plan.enabled=true"

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`codex exec --json`", List: "`todo_list` items",
		Lines: lines, New: func() stream.Parser { return new(parser) },
		Hint:           hint,
		NeverTellsTool: true,
	},
	{
		Format: Rollout,
		From:   "`~/.codex/sessions/…/rollout-*.jsonl`; `codex exec --json` before October 2025", List: "`update_plan`",
		Lines: rolloutLines, HasMoreTypes: isRolloutTool, Detect: detectRollout, New: func() stream.Parser { return new(rollout) },
		Hint:           hint,
		NeverTellsTool: true,
	},
	{
		Format: Server,
		From:   "a log of what `codex app-server` writes to an editor", List: "`turn/plan/updated`",
		Lines: []stream.LineType{{Name: ""}}, Detect: detectAppServer, New: func() stream.Parser { return new(appServer) },
		Hint:           hint,
		NeverTellsTool: true,
	},
}

// program is how it is started.
var program = agent.Program{
	Command: []string{"codex", "exec", "--json", "-c", "tools.update_plan.enabled=true"},
	Resume:  []string{"resume"},
	Ends:    []string{"-"},
	Spend:   &spend,
	Install: "npm install -g @openai/codex",
	Rights:  "--sandbox workspace-write",
}

// parser reads `codex exec --json`.
//
// A todo_list item is already a result: a refused update_plan call prints nothing on this stream.
// Ids of items begin at item_0 in every process, so an id counts within its thread and turn only.
type parser struct {
	stream.SequentialSessions
	outer   *stream.Session         // the thread inside whose turn this one began
	total   continuation.Usage      // of a thread without an id
	ending  continuation.TurnStatus // how the turn has ended, which is told with the next line or the end of the program; empty if it has not
	running []string                // the commands and sub-agents of the turn that are not known to have ended
}

// itemKind is what a type of items means for us. Those of calls and of lists belong to a turn.
type itemKind int

const (
	unknownItem itemKind = iota
	listItem
	callItem
	messageItem
	otherItem
)

func itemKindOf(typ stream.Word) itemKind {
	switch string(typ) {
	case "todo_list":
		return listItem
	case "command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search":
		return callItem
	case "agent_message", "assistant_message":
		return messageItem
	case "reasoning", "error":
		return otherItem
	}
	return unknownItem
}

var lines = []stream.LineType{
	{Name: "thread.started", Marks: "thread_id"},
	{Name: "session.created", Marks: "session_id"}, // as it was named in September 2025
	{Name: "turn.started", Marks: stream.MarkedByType},
	{Name: "turn.completed", Marks: stream.MarkedByType},
	{Name: "turn.failed", Marks: "error"},
	{Name: "item.started", Marks: "item"},
	{Name: "item.updated", Marks: "item"},
	{Name: "item.completed", Marks: "item"},
	{Name: "error"},
}

func (c *parser) Read(l *stream.Line) error {
	c.endTurn()
	it := l.Member("item")
	kind := itemKindOf(it.Either("type", "item_type").Word()) // as it was named before October 2025
	typ := string(l.Type)
	item := typ == "item.started" || typ == "item.updated" || typ == "item.completed"
	if item && kind == unknownItem {
		if c.Session != nil {
			c.Session.CountUnknown(it.Word("type"), nil, typ)
		}
		return stream.ErrUnknownType
	}
	if typ == "thread.started" || typ == "session.created" {
		c.thread(string(l.Either("thread_id", "session_id").Word()))
		return nil
	}
	if c.Session == nil {
		c.thread("")
	}
	if c.Session.TurnOver && (typ == "turn.completed" || typ == "turn.failed" || item && (kind == listItem || kind == callItem)) {
		c.resumeOuter()
	}
	switch {
	case typ == "turn.started":
		c.Stop()
		c.running = nil
		c.Session.BeginTurn(0)
	case (typ == "turn.completed" || typ == "turn.failed") && c.Session.IsDuplicateEnd():
	case typ == "turn.completed":
		total := l.Member("usage").Usage("output_tokens", "input_tokens")
		total.Cached = stream.ParseCount(l.Word("usage", "cached_input_tokens"))
		c.Session.CurrentTurn(0).Usage = c.used(total)
		c.completes(continuation.Done)
	case typ == "turn.failed":
		c.Session.CurrentTurn(0).Failure = stream.FailureOf("", l.Member("error").Message(), nil)
		c.completes(continuation.Failed)
	case item:
		c.item(it, kind, typ == "item.completed")
	}
	return nil
}

// completes ends the turn. What Codex writes to standard error about it, such as calls that were denied, may be known only when the program
// has ended, as it does after the last turn.
func (c *parser) completes(how continuation.TurnStatus) {
	c.Session.CurrentTurn(0).Background = len(c.running) > 0
	for _, id := range c.running { // Codex ends it with the program
		c.Session.NoteResult([]byte(id))
	}
	if c.ending = how; !c.Session.HasProblems() {
		c.endTurn()
	}
}

func (c *parser) endTurn() {
	if how := c.ending; how != "" {
		c.ending = ""
		c.Session.EndTurn(how, 0)
	}
}

// used returns what a turn used, for which Codex reports the total of its thread so far. A resume continues that total,
// so the one before may have been reported in another stream, which is found by the thread's id.
func (c *parser) used(total continuation.Usage) continuation.Usage {
	if total != (continuation.Usage{}) {
		total.Thread = native.ShortenID(c.Session.ID)
	}
	if c.Session.ID != "" {
		return total
	}
	before := c.total
	c.total = total
	return total.Since(before)
}

// thread goes to a thread. One that begins inside a turn means that the turn before has no end:
// its process was stopped. A resumed thread prints its old id.
func (c *parser) thread(id string) {
	c.outer = nil
	if c.Session != nil && c.Session.NewestTurn() != nil {
		c.outer = c.Session
	}
	c.Stop()
	c.Session = c.Open(id)
	c.Session.TurnOver = false
}

// resumeOuter returns to the thread inside whose turn another one began, where lines follow the other one's end:
// a run has one turn, so they are not its own. A log of both outputs can hold the stream of an
// agent that this one called.
func (c *parser) resumeOuter() {
	if c.outer == nil || c.outer.Abandoned || c.outer == c.Session {
		return
	}
	inner := c.Session.ID
	c.Session, c.outer = c.outer, nil
	c.Session.Warn("the stream continues after that of %s, which is nested in it", stream.Quote(inner))
	c.Session.CurrentTurn(0)
}

func (c *parser) item(it stream.Value, kind itemKind, completed bool) {
	switch kind {
	case listItem:
		c.todoList(it, completed)
	case callItem:
		// A call has up to three lines; a kind of call that takes no time has only the last one.
		if id := it.Word("id"); len(id) > 0 || completed {
			c.Session.CountCall(c.Session.CurrentTurn(0), id, callName(it), callInput(it))
			c.noteRunning(it, completed)
			if string(it.Word("status")) == "declined" {
				c.Session.CurrentTurn(0).NoteDenied(id, string(it.Word("type")))
			}
			if string(it.Word("status")) == "failed" {
				c.Session.NoteFailedCall(id)
			}
			if completed {
				c.Session.NoteAnswer(id, it.Member("aggregated_output"), it.Member("exit_code"), it.Member("result"), it.Member("error"), it.Member("status"))
				c.Session.NoteResult(id)
			} else {
				c.Session.ExpectResult(id)
			}
		}
	case messageItem:
		if t := c.Session.NewestTurn(); t != nil && completed {
			t.RecordMessage(it.Text("text"))
		}
	}
}

// noteRunning notes whether what a call has started is still at work: a command, which runs on after its call has been answered, or
// the sub-agents, whose states every call about them tells.
func (c *parser) noteRunning(it stream.Value, completed bool) {
	note := func(id string, runs bool) {
		c.running = slices.DeleteFunc(c.running, func(other string) bool { return other == id })
		if runs && len(c.running) < maxRunning {
			c.running = append(c.running, id)
		}
	}
	switch string(it.Word("type")) {
	case "command_execution":
		note(string(it.Word("id")), !completed)
	case "collab_tool_call":
		for _, id := range it.Words("receiver_thread_ids") {
			if state := string(it.Word("agents_states", id, "status")); state != "" {
				note(id, state == "pending_init" || state == "running")
			}
		}
	}
}

// maxRunning is how many commands and sub-agents of a turn are followed at once.
const maxRunning = 256

// callName names the tool of a call as the model calls it, so that it is known which calls only read.
func callName(it stream.Value) string {
	switch string(it.Either("type", "item_type").Word()) {
	case "command_execution", "commandExecution":
		return "shell_command"
	case "mcp_tool_call", "mcpToolCall":
		return string(it.Word("tool"))
	case "web_search", "webSearch":
		return "web_search"
	case "collab_tool_call", "collabToolCall":
		return string(it.Word("tool"))
	case "file_change", "fileChange":
		return "apply_patch"
	}
	return ""
}

// callInput returns the arguments of a call, without what is different each time: its id, its state and its result.
func callInput(it stream.Value) object.Value {
	w := object.NewWriter(256)
	w.Open('{')
	for _, name := range []string{"command", "server", "arguments", "query", "changes", "prompt"} {
		if v := it.Member(name); v.Kind() != 0 {
			w.Name(name)
			w.Raw(v.Raw())
		}
	}
	w.Close('}')
	return object.Value(w.Bytes())
}

// todoList returns a list. Item.completed comes at the end of the turn, however it ends,
// and repeats the list as it was: it completes neither the list nor the turn.
func (c *parser) todoList(it stream.Value, completed bool) {
	list, id := it.Member("items").List(), it.Word("id")
	if list == nil {
		c.Session.Called = true
		c.Session.Warn("item %s is a todo list, but holds no list", stream.Quote(string(id)))
		return
	}
	t := c.Session.CurrentTurn(0)
	if completed && t.Told != nil && todo.Equal(t.Told, list.Items) {
		return
	}
	t.Told = list.Items
	var inferred []string
	if todo.Count(list.Items).Open > 0 {
		inferred = []string{stream.InferredStatus}
	}
	c.Session.EmitList(stream.Update{TodoID: string(id), Inferred: inferred}, c.Session.Items(list))
}

func (c *parser) Stop() {
	c.endTurn()
	if c.Session != nil {
		c.Session.EndOpenTurns(0)
	}
}
