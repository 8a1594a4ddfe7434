package agent

import (
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// claudeSession is one session: the calls that wait for their result and the lists.
//
// Turns: init begins one, result ends one. Work that a sub-agent continues with in the background
// keeps a turn's result back: its end wakes the model, which prints a second init and has a second
// turn, and only then come both results, in the turns' order (result_index 0 and 1; the second
// one's origin is a task-notification). So a result ends the oldest open turn, while calls belong
// to the newest. An init inside a turn without such background work is another process that resumed
// the session: the turn before it was cut off, and the results of its calls are unknown.
type claudeSession struct {
	*stream
	c *claude

	subs       map[string]string // a sub-agent's name by the tool use id of its call
	tasks      *native.Tasks     // nil until a Task tool succeeds
	told       int               // the line with which they were last reported
	blank      bool              // some task's text is not known
	changes    []claudeChange    // the last changes of lists, for what is retracted
	lists      map[string][]todo.Item
	held       int              // approximate size of these and the rest, in bytes
	transcript *transcriptState // what its transcript has beside it; nil in a stream, and before the first line that counts
	certain    bool             // it is Claude Code's, not of another agent that writes such lines
	cost       int              // of the process until the last result, in millionths of a US dollar
	background bool             // a background sub-agent was started in this process
	socket     string           // names the process, where it is given
}

// begun reports whether the newest turn is open and has a message of the model.
func (s *claudeSession) begun() bool {
	t := s.newest()
	return t != nil && t.begun
}

func (s *claudeSession) init(l *claudeLine) {
	s.certain = true
	s.offers(l)
	socket := string(l.word("messaging_socket_path"))
	another := socket != "" && s.socket != "" && socket != s.socket
	s.socket = socket
	switch t := s.newest(); {
	case t == nil:
		s.drop()
	case !another && !t.begun:
		return // init was repeated before the turn's first message
	case another || !s.background:
		s.stop()
	}
	s.begin(l.at())
}

// offers records whether the tools that a line lists include a todo tool.
func (s *stream) offers(l *claudeLine) {
	tools := l.words("tools")
	if len(tools) == 0 || s.sum.TodoTool != TodoToolUnknown {
		return
	}
	s.sum.TodoTool = TodoToolOff
	if slices.ContainsFunc(tools, func(name string) bool { return isTodoTool(word(name)) || name == qwenTool }) {
		s.sum.TodoTool = TodoToolOn
	}
}

// result ends the oldest open turn. In Claude Code its subtype is "success" for errors of the API too, and an error for a turn
// that reached its limit; is_error distinguishes them.
func (s *claudeSession) result(l *claudeLine) {
	at, says := l.at(), l.text("result")
	s.current(at)
	t := s.open[0]
	if s.a.format == Qwen {
		s.qwenResult(l, t)
		return
	}
	if !l.fails() { // else it is the host's
		t.recordMessage(says)
	}
	status := continuation.Done
	switch {
	case strings.HasPrefix(string(l.word("terminal_reason")), "aborted"),
		t.interrupted && (l.isTrue("is_error") || l.subtype() == "error_during_execution"):
		status = continuation.Aborted
	case l.fails():
		status = continuation.Failed
		if !t.limit.IsZero() {
			t.failure.kind += " rate_limit"
		}
		kind := strings.Join([]string{t.failure.kind, string(l.word("api_error_type")), string(l.word("terminal_reason")), l.subtype()}, " ")
		t.failure = failureOf(kind, strings.Join(append([]string{string(says)}, l.words("errors")...), "\n"), l.word("api_error_status"))
	}
	s.total(l, t)
	cost := micros(l.word("total_cost_usd"))
	if t.usage.Cost = cost - s.cost; cost < s.cost {
		t.usage.Cost = cost // of another process
	}
	s.cost = cost
	s.end(status, at)
	if len(s.open) == 0 {
		s.background = false
	}
}

// total replaces what was seen of a turn's usage with the result's own count.
func (s *claudeSession) total(l *claudeLine, t *turn) {
	if l.has("usage") {
		t.usage = s.used(l.member("usage"))
	}
}

// used reads counts of tokens. Qwen Code counts those of a cache in.
func (s *claudeSession) used(v value) continuation.Usage {
	input := []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"}
	if s.a.format == Qwen {
		input = input[:1]
	}
	u := v.usage("output_tokens", input...)
	u.Cached = count(v.word("cache_read_input_tokens"))
	return u
}

// clear follows /clear: the conversation restarts without a list.
func (s *claudeSession) clear(l *claudeLine) {
	s.tasks = &native.Tasks{Whole: true}
	s.changes, s.lists = nil, nil
	s.weigh()
	s.list(Update{Event: continuation.Event{Removes: true}, At: l.at()}, nil)
}

// isTodoTool reports whether a call of the tool is about the list.
func isTodoTool(name word) bool {
	tool := native.ToolOf(native.Claude, string(name))
	return tool != nil && tool.Does != native.Reads
}

// tool returns the todo tool of a name, or nil.
func (s *claudeSession) tool(name string) *native.Tool { return native.ToolOf(s.a.source, name) }

// use records a call. It changes nothing before its result reports that it was accepted.
func (s *claudeSession) use(l *claudeLine, b block) {
	name := string(b.word("name"))
	tool := s.tool(name)
	switch {
	case tool == nil && !l.sub() && name != "ToolSearch" && name != "tool_search": // that only loads tools
		t := s.current(l.at())
		t.tools++
		s.runs(b.word("id"))
		t.sub = t.sub || name == "agent" || name == "task"
	case tool != nil && tool.Does != native.Reads: // that shows the model what it wrote
		s.certain = true
		s.show(todoCall{
			id: string(b.word("id")), tool: tool, sub: s.subAgent(l), parent: string(l.parent), uuid: string(l.uuid()), input: b.member("input").raw(),
			after: s.tasks.Calls(),
		})
	}
}

// subAgent names the line's sub-agent. Older versions have no agent_id, and a name must not change within the stream,
// so the first line's name stays.
func (s *claudeSession) subAgent(l *claudeLine) string {
	if !l.sub() {
		return ""
	}
	id := string(l.agentID)
	if id == "" {
		id = string(l.parent)
	}
	if len(l.parent) == 0 {
		return SubAgentName(id)
	}
	name, known := s.subs[string(l.parent)]
	if !known {
		if s.subs == nil || len(s.subs) >= maxRoots {
			s.subs = make(map[string]string)
		}
		name = SubAgentName(id)
		s.subs[string(l.parent)] = name
	}
	return name
}

// applyResult applies a call whose result has come. The line's tool_use_result is the result of one tool,
// so it is of no use where the line holds several results.
func (s *claudeSession) applyResult(l *claudeLine, b block) {
	call, ok := s.popCall(b.word("tool_use_id"))
	if !ok {
		return
	}
	s.c.now = s

	alone := l.content.results() == 1
	text, refused, result := b.member("content").contentText(), b.isTrue("is_error"), l.result()
	if s.a.format == Qwen {
		s.applyQwenResult(call, refused, text, l.at())
		return
	}
	if !refused && alone && result.isString() && native.IsRefusal(result.contentText()) {
		text, refused = result.contentText(), true
	}
	if refused || native.IsRefusal(text) {
		// A sub-agent may lack the tool where the main agent has it.
		s.rejected(call, text, call.sub == "" && strings.Contains(text, "No such tool"))
		return
	}
	s.sum.TodoTool = TodoToolOn
	accepted := native.Call{Input: call.input, Said: text, After: call.after}
	if alone {
		accepted.Result = result.raw()
	}
	if call.tool.Does == native.Writes {
		s.write(call, accepted, l.at())
	} else {
		s.task(call, accepted, l.at())
	}
}

// write applies TodoWrite, which sends the whole list. The result repeats it as accepted;
// a sub-agent's result does not, so there the list is the call's own.
func (s *claudeSession) write(call todoCall, accepted native.Call, at todo.Time) {
	items, ok := s.accepted(call.id, native.ListIn(accepted.Result, accepted.Input))
	if !ok {
		return
	}
	s.remember(claudeChange{uuid: call.uuid, sub: call.sub, parent: call.parent, before: s.lists[call.sub]})
	if s.lists == nil || len(s.lists) > maxSubs {
		s.lists = map[string][]todo.Item{"": s.lists[""]}
	}
	s.lists[call.sub] = items
	s.weigh()
	s.list(Update{SubAgent: call.sub, Parent: call.parent, TodoID: call.id, At: at}, items)
}

func (s *claudeSession) stop() {
	s.drop()
	s.endTurns()
}

// endTurns ends what is open as another session begins. Results may still come, should the two run side by side.
func (s *claudeSession) endTurns() {
	s.cut(0)
	s.changes = nil
	s.background = false
}
