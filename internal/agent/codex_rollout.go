package agent

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// codexRollout reads the files in which Codex keeps its threads, ~/.codex/sessions/…/rollout-*.jsonl.
//
// A plan is a call of update_plan, whose arguments are JSON within a string; the call's output says whether it was accepted.
// Other than the stream of codex exec, the file tells which step is in progress.
//
// Since September 2025 a line is an envelope with a payload. Before, what is now the payload stood by itself,
// after a header that has no type. Turns have events of their own in the newer files;
// in the older ones a turn is what follows a user's message.
type codexRollout struct {
	r *Reader
	a *adapter
	s *stream

	waiting []rolloutCall // update_plan calls without an output, in order
	told    rolloutSteps  // the plan that was given last in this turn
	parent  string        // the thread that this one was forked from; its beginning is repeated here
	evented bool          // an event began the turn, so an event ends it
	fresh   bool          // the turn has nothing but messages of the user
	settled bool          // the last thing was a message of the model
	failed  bool          // the last thing was an error
	coded   bool          // a plan was written from code
}

// rolloutCall is a call of update_plan.
type rolloutCall struct {
	id   string
	args jsontext.Value
	told bool // an event has already given its list
}

// rolloutLine is an envelope, or an item without one.
type rolloutLine struct {
	Timestamp  word           `json:"timestamp"`
	RecordType word           `json:"record_type"`
	Payload    jsontext.Value `json:"payload"`
	item       *rolloutItem   // the payload, where it was read with the line
	rolloutItem
}

type rolloutItem struct {
	Type word `json:"type"`

	// session_meta, or the header of an older file
	ID        word           `json:"id"`
	SessionID word           `json:"session_id"`
	ForkedOf  word           `json:"forked_from_id"`
	ParentID  word           `json:"parent_thread_id"`
	Source    jsontext.Value `json:"source"`

	// response_item
	Role      word           `json:"role"`
	Content   claudeBlocks   `json:"content"`
	Name      word           `json:"name"`
	CallID    word           `json:"call_id"`
	Arguments jsontext.Value `json:"arguments"`
	Input     jsontext.Value `json:"input"`
	Output    jsontext.Value `json:"output"`

	// event_msg
	Message     word         `json:"message"`
	LastMessage word         `json:"last_agent_message"`
	Plan        rolloutSteps `json:"plan"`
}

type rolloutStep struct {
	Step   word `json:"step"`
	Status word `json:"status"`
}

// rolloutSteps is a plan. One that is there and empty is not nil.
type rolloutSteps []rolloutStep

func (l *rolloutSteps) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*l = nil
	if d.PeekKind() != jsontext.KindBeginArray {
		return d.SkipValue()
	}
	*l = rolloutSteps{}
	return eachElement(d, func() error {
		v, err := d.ReadValue()
		if err != nil {
			return err
		}
		step, _ := objectAs[rolloutStep](v)
		*l = append(*l, step)
		return nil
	})
}

// rolloutArguments are those of update_plan.
type rolloutArguments struct {
	Plan rolloutSteps `json:"plan"`
}

// rolloutOutput is an output that is an object.
type rolloutOutput struct {
	Output  jsontext.Value `json:"output"`
	Content jsontext.Value `json:"content"`
}

func openCodexRollout(r *Reader, a *adapter) parser { return &codexRollout{r: r, a: a} }

func detectCodexRollout(h *head) bool {
	switch h.typ {
	case "":
		return h.has("record_type") || h.has("id", "timestamp", "instructions")
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
		return h.has("payload")
	case "function_call":
		return h.has("call_id", "arguments")
	case "function_call_output":
		return h.has("call_id", "output")
	}
	return false
}

func (c *codexRollout) knows(typ string) bool {
	switch typ {
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record",
		"inter_agent_communication", "session_state":
		return true
	}
	return isRolloutItem(typ)
}

// isRolloutItem reports whether an older file has lines of this type.
func isRolloutItem(typ string) bool {
	switch typ {
	case "message", "reasoning", "function_call_output", "custom_tool_call_output", "ghost_snapshot", "compaction":
		return true
	}
	return isRolloutTool(typ)
}

// isRolloutTool reports whether an item is a call of a tool.
func isRolloutTool(typ string) bool {
	return strings.HasSuffix(typ, "_call")
}

func (c *codexRollout) stream() *stream { return c.s }

func (c *codexRollout) read(line []byte) error {
	var l rolloutLine
	if err := decode(line, &l, c.r.decodeAll); err != nil {
		return err
	}
	at := instant(l.Timestamp)
	it := l.rolloutItem
	switch l.Type {
	case "":
		if l.ID == "" && l.RecordType == "" {
			return errUnknownType
		}
		it.Type = "session_meta"
	case "session_meta", "response_item", "event_msg":
		if l.item != nil {
			it = *l.item
		} else if p, ok := objectAs[rolloutItem](l.Payload); ok {
			it = p
		} else {
			return errUnknownType
		}
	}
	if it.Type == "session_meta" || l.Type == "session_meta" {
		if it.ID != "" {
			c.thread(&it)
		}
		if c.s == nil {
			c.s = c.r.session(c.a, "")
		}
		return nil
	}
	if c.s == nil {
		c.s = c.r.session(c.a, "")
	}
	switch {
	case l.Type == "event_msg":
		c.event(&it, at)
	case l.Type == "response_item", l.Payload == nil && isRolloutItem(string(l.Type)):
		c.item(&it, at)
	}
	return nil
}

// thread goes to a thread. A fork repeats the beginning of the thread that it was made from,
// whose header then stands inside the fork's file.
func (c *codexRollout) thread(it *rolloutItem) {
	id := string(it.ID)
	if c.s != nil && (id == c.s.id || id == c.s.sub || id == c.parent) {
		return
	}
	c.stop()
	spawned, sub := subAgentSource(it)
	c.parent = string(it.ForkedOf)
	if !sub {
		c.s = c.r.session(c.a, id)
		return
	}
	if c.parent == "" {
		c.parent = spawned
	}
	if spawned == "" {
		spawned = id
	}
	c.s = c.r.subSession(c.a, spawned, SubAgentName(id))
}

// subAgentSource reports whether a thread is a sub-agent's, and the thread that started it where that is told.
func subAgentSource(it *rolloutItem) (parent string, sub bool) {
	type source struct {
		SubAgent jsontext.Value `json:"subagent"`
	}
	src, _ := objectAs[source](it.Source)
	if len(src.SubAgent) == 0 || src.SubAgent.Kind() == jsontext.KindNull {
		return "", false
	}
	type spawn struct {
		Spawn struct {
			Parent word `json:"parent_thread_id"`
		} `json:"thread_spawn"`
	}
	sp, _ := objectAs[spawn](src.SubAgent)
	switch {
	case sp.Spawn.Parent != "":
		return string(sp.Spawn.Parent), true
	case it.ParentID != "":
		return string(it.ParentID), true
	case it.SessionID != it.ID:
		return string(it.SessionID), true
	}
	return "", true
}

func (c *codexRollout) event(it *rolloutItem, at todo.Time) {
	switch it.Type {
	case "task_started", "turn_started":
		c.begin(at)
		c.evented = true
	case "user_message":
		if !c.evented {
			c.said(at)
		}
	case "task_complete", "turn_complete":
		t := c.s.current(at)
		if it.LastMessage != "" {
			t.text.reset()
			t.text.add(string(it.LastMessage))
		}
		if c.failed && it.LastMessage == "" {
			c.end(continuation.Failed, at)
		} else {
			c.end(continuation.Done, at)
		}
	case "turn_aborted":
		c.s.current(at)
		c.end(continuation.Aborted, at)
	case "error":
		t := c.s.current(at)
		t.failure = failure{code: spokenStatus(string(it.Message)), text: string(it.Message)}
		c.failed, c.settled = true, false
	case "plan_update":
		c.planned(it, at)
	}
}

// planned takes a plan from an event, which is a result already; the call's output comes before it or after it.
func (c *codexRollout) planned(it *rolloutItem, at todo.Time) {
	if it.Plan == nil {
		return
	}
	for i := range c.waiting {
		if call := &c.waiting[i]; !call.told {
			call.told = true
			c.plan(call.id, it.Plan, at)
			return
		}
	}
	if c.told == nil || !slices.Equal(it.Plan, c.told) {
		c.plan("", it.Plan, at)
	}
}

func (c *codexRollout) item(it *rolloutItem, at todo.Time) {
	typ := string(it.Type)
	switch {
	case typ == "message" && it.Role == "user":
		c.user(it, at)
	case typ == "message" && it.Role == "assistant":
		c.acts()
		c.settled = true
		t := c.s.current(at)
		t.text.reset()
		for i := range it.Content {
			t.text.add(string(it.Content[i].Text))
		}
	case typ == "function_call_output", typ == "custom_tool_call_output":
		c.settled = false
		c.output(it, at)
	case isRolloutTool(typ) && it.Name == "update_plan":
		c.acts()
		c.s.current(at)
		args := it.Arguments
		if len(args) == 0 {
			args = it.Input
		}
		if len(c.waiting) == maxWaiting {
			c.lose(c.waiting[0])
			c.waiting = slices.Delete(c.waiting, 0, 1)
		}
		c.waiting = append(c.waiting, rolloutCall{id: string(it.CallID), args: slices.Clone(unpacked(args))})
	case isRolloutTool(typ):
		c.acts()
		c.s.current(at).tools++
		if it.Name == "exec" && !c.coded && strings.Contains(string(it.Input), "tools.update_plan(") {
			c.coded = true
			c.s.warn("a plan was written from code; this file does not tell what it holds")
		}
	case typ == "reasoning":
		c.acts()
	}
}

// acts notes that the model did something.
func (c *codexRollout) acts() { c.fresh, c.settled, c.failed = false, false, false }

// user takes a message of the role user, which may be the program's own.
func (c *codexRollout) user(it *rolloutItem, at todo.Time) {
	var text string
	if len(it.Content) > 0 {
		text = strings.TrimSpace(string(it.Content[0].Text))
	}
	if strings.HasPrefix(text, "<turn_aborted>") {
		if t := c.s.newest(); t != nil && !c.evented {
			c.end(continuation.Aborted, at)
		}
		return
	}
	if c.evented || text == "" || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "# AGENTS.md") {
		return
	}
	c.said(at)
}

// said follows a user's message in a file without events for turns.
// Some versions write it twice, as an item and as an event.
func (c *codexRollout) said(at todo.Time) {
	if c.s.newest() != nil && c.fresh {
		return
	}
	c.begin(at)
}

func (c *codexRollout) begin(at todo.Time) {
	c.stop()
	c.s.begin(at)
	c.evented, c.fresh = false, true
}

func (c *codexRollout) end(status continuation.TurnStatus, at todo.Time) {
	c.drop()
	c.s.end(status, at)
	c.told, c.settled, c.failed = nil, false, false
}

// unpacked gives the value that a string holds as JSON.
func unpacked(v jsontext.Value) jsontext.Value {
	if v.Kind() != jsontext.KindString {
		return v
	}
	text, ok := textOf(v)
	if !ok {
		return nil
	}
	return jsontext.Value(strings.TrimSpace(text))
}

func (c *codexRollout) find(id string) int {
	return slices.IndexFunc(c.waiting, func(w rolloutCall) bool { return w.id == id })
}

// output applies the call that it belongs to.
func (c *codexRollout) output(it *rolloutItem, at todo.Time) {
	i := c.find(string(it.CallID))
	if i < 0 {
		return
	}
	call := c.waiting[i]
	c.waiting = slices.Delete(c.waiting, i, i+1)
	if call.told {
		return
	}
	text := outputText(it.Output, 3)
	if !strings.EqualFold(strings.TrimSpace(text), "plan updated") {
		c.s.rejected(Call{Tool: "update_plan", ID: call.id}, text, strings.HasPrefix(text, "unsupported call"))
		return
	}
	args, ok := objectAs[rolloutArguments](call.args)
	if !ok || args.Plan == nil {
		c.s.warn("%s was accepted, but holds no plan", quote(call.id))
		return
	}
	c.plan(call.id, args.Plan, at)
}

// outputText finds what an output says: a string, blocks of text, or an object with one of them, itself perhaps within a string.
func outputText(v jsontext.Value, depth int) string {
	if depth == 0 || len(v) == 0 {
		return ""
	}
	switch v.Kind() {
	case jsontext.KindString:
		text, ok := textOf(v)
		if !ok {
			return ""
		}
		inner := jsontext.Value(strings.TrimSpace(text))
		if len(inner) > 0 && inner[0] == '{' && inner.IsValid() {
			if said := outputText(inner, depth-1); said != "" {
				return said
			}
		}
		return text
	case jsontext.KindBeginArray:
		block := claudeBlock{Content: v}
		return block.resultText()
	case jsontext.KindBeginObject:
		w, _ := objectAs[rolloutOutput](v)
		if len(w.Output) == 0 {
			w.Output = w.Content
		}
		return outputText(w.Output, depth-1)
	}
	return ""
}

// plan gives a plan that was accepted.
func (c *codexRollout) plan(id string, steps rolloutSteps, at todo.Time) {
	native := make(nativeItems, len(steps))
	for i, step := range steps {
		native[i] = nativeItem{Content: step.Step, Status: step.Status}
	}
	c.told = steps
	c.s.current(at)
	c.s.list(Update{TodoID: id, At: at}, c.s.items(native))
}

func (c *codexRollout) lose(call rolloutCall) {
	if !call.told {
		c.s.unconfirmed(Call{Tool: "update_plan", ID: call.id})
	}
}

// drop gives up the calls whose output never came.
func (c *codexRollout) drop() {
	for _, call := range c.waiting {
		c.lose(call)
	}
	c.waiting = nil
}

// stop ends the turn. In a file without events for turns, one whose last thing is the model's message is done.
func (c *codexRollout) stop() {
	if c.s == nil {
		return
	}
	if c.s.newest() != nil && !c.evented {
		switch {
		case c.failed:
			c.end(continuation.Failed, 0)
		case c.settled:
			c.end(continuation.Done, 0)
		}
	}
	c.drop()
	c.s.cut()
	c.told, c.fresh, c.settled, c.failed, c.evented = nil, false, false, false, false
}
