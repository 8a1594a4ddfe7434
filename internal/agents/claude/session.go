package claude

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// Session is one session: the calls that wait for their result and the lists.
//
// Turns: init begins one, result ends one. Work that a sub-agent continues with in the background
// keeps a turn's result back: its end wakes the model, which prints a second init and has a second
// turn, and only then come both results, in the turns' order (result_index 0 and 1; the second
// one's origin is a task-notification). So a result ends the oldest open turn, while calls belong
// to the newest. An init inside a turn without such background work is another process that resumed
// the session: the turn before it was cut off, and the results of its calls are unknown.
type Session struct {
	*stream.Session
	c *Parser

	subs       map[string]string // a sub-agent's name by the tool use id of its call
	tasks      *taskList         // nil until a Task tool succeeds
	told       int               // the line with which they were last reported
	blank      bool              // some task's text is not known
	changes    []change          // the last changes of lists, for what is retracted
	lists      map[string][]todo.Item
	held       int              // approximate size of these and the rest, in bytes
	transcript *transcriptState // the state that only a transcript needs; nil in a stream, and before the first line that counts
	certain    bool             // it is Claude Code's, not of another agent that writes such lines
	total      processTotal     // of the process until the last result
	background bool             // a background sub-agent was started in this process
	socket     string           // names the process, if it is given
	ended      string           // uuid of the last result
}

// hasOpenMessage reports whether the newest turn is open and has a message of the model.
func (s *Session) hasOpenMessage() bool {
	t := s.NewestTurn()
	return t != nil && t.Begun
}

func (s *Session) init(l *Line) {
	s.certain = true
	version := "claude_code_version"
	if v := s.variant(); v != nil {
		version = v.Version
	}
	s.Counts.Version = string(l.Word(version))
	s.NoteModel(l.Word("model"))
	s.offers(l)
	socket := string(l.Word("messaging_socket_path"))
	another := socket != "" && s.socket != "" && socket != s.socket
	s.socket = socket
	switch t := s.NewestTurn(); {
	case t == nil:
		s.AbandonCalls()
	case !another && !t.Begun:
		return // init was repeated before the turn's first message
	case another || !s.background:
		s.Stop()
	}
	s.BeginTurn(l.At())
}

// offers records whether the tools that a line lists include a todo tool.
func (s *Session) offers(l *Line) {
	listed := l.Words("tools")
	if len(listed) == 0 || s.Counts.TodoTool != stream.TodoToolUnknown {
		return
	}
	s.Counts.TodoTool = stream.TodoToolOff
	if slices.ContainsFunc(listed, func(name string) bool { return s.c.isTodoTool(stream.Word(name)) }) {
		s.Counts.TodoTool = stream.TodoToolOn
	}
}

// result ends the oldest open turn. In Claude Code its subtype is "success" for errors of the API too, and an error for a turn
// that reached its limit; is_error distinguishes them.
func (s *Session) result(l *Line) {
	at, says := l.At(), l.Text("result")
	if uuid := string(l.uuid()); s.ended != "" && uuid == s.ended {
		s.Warn("the end of a turn is duplicated")
		return
	}
	if s.TurnOver && l.ReportsFailedTurn() && string(l.Word("num_turns")) == "0" {
		return // some versions report the end of background work as a turn that fails before it begins
	}
	s.ended = string(l.uuid())
	s.CurrentTurn(at)
	t := s.OldestTurn()
	for denial := range l.Member("permission_denials").Values('[') {
		if asksUser(string(denial.Text("tool_name"))) {
			continue // nobody is there to answer
		}
		t.NoteDenied(denial.Word("tool_use_id"), string(denial.Text("tool_name")))
	}
	if v := s.variant(); v != nil {
		v.Result(s, l, t)
		return
	}
	if !l.ReportsFailedTurn() { // else it is the host's
		t.RecordMessage(says)
	}
	status := continuation.Done
	switch {
	case strings.HasPrefix(string(l.Word("terminal_reason")), "aborted"),
		t.Interrupted && (l.IsTrue("is_error") || l.Subtype() == "error_during_execution"):
		status = continuation.Aborted
	case l.ReportsFailedTurn():
		status = continuation.Failed
		if !t.Limit.IsZero() {
			t.Failure.Kind += " rate_limit"
		}
		kind := strings.Join([]string{t.Failure.Kind, string(l.Word("api_error_type")), terminal(string(l.Word("terminal_reason"))), terminal(l.Subtype())}, " ")
		t.Failure = stream.FailureOf(kind, strings.Join(append([]string{string(says)}, l.Words("errors")...), "\n"), l.Word("api_error_status"))
	}
	if l.Subtype() == turnLimit {
		t.Early = strings.Replace("the agent reached its own limit of N turns", "N", cmp.Or(string(l.Word("num_turns")), "its"), 1)
	}
	seen := t.Usage
	s.SetTotalUsage(l, t)
	t.Usage = s.total.usageOf(l, seen, t.Usage)
	s.EndTurn(status, at)
	if s.OldestTurn() == nil {
		s.background = false
	}
}

// terminal returns the reason why a turn is over, or the subtype of its result, in the words by which failures are classified.
func terminal(reason string) string {
	switch reason {
	case "blocking_limit", "rapid_refill_breaker": // the context is full, and compacting it did not help
		return "prompt_too_long"
	case "budget_exhausted", budgetLimit: // the one that the user gave the program
		return "billing"
	}
	return reason
}

// goal reports the goal that the user gave with /goal; without one it is over.
func (s *Session) goal(l *Line) {
	state := "active"
	if l.Member("value").Kind() != '{' {
		state = "complete"
	}
	s.Emit(stream.Update{Event: continuation.Event{Type: continuation.Goal, Text: string(l.Text("value", "condition")), State: state, Source: "claude"}, At: l.At()})
}

// SetTotalUsage replaces what was seen of a turn's usage with the result's own count.
func (s *Session) SetTotalUsage(l *Line, t *stream.OpenTurn) {
	if l.Has("usage") {
		t.Usage = s.used(l.Member("usage"))
	}
}

// used reads counts of tokens, in which a variant may have counted those of a cache.
func (s *Session) used(v stream.Value) continuation.Usage {
	input := []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"}
	if v := s.variant(); v != nil && !v.Uncached {
		input = input[:1]
	}
	u := v.Usage("output_tokens", input...)
	u.Cached = stream.ParseCount(v.Word("cache_read_input_tokens"))
	return u
}

// clear follows /clear: the conversation restarts without a list.
func (s *Session) clear(l *Line) {
	s.tasks = &taskList{Whole: true}
	s.changes, s.lists = nil, nil
	s.updateWeight()
	s.EmitList(stream.Update{Event: continuation.Event{Removes: true}, At: l.At()}, nil)
}

// isTodoTool reports whether a call of the tool is about the list.
func isTodoTool(name stream.Word) bool {
	tool := tools.Find(string(name))
	return tool != nil && tool.Does != native.Reads
}

// tool returns the todo tool of a name, or nil.
func (s *Session) tool(name string) *native.Tool { return s.tools().Find(name) }

// refused reports whether the text of a result is a refusal.
func (s *Session) refused(text string) bool { return tools.Refused(text) || s.tools().Refused(text) }

// tools are those of the session's agent.
func (s *Session) tools() *native.Tools {
	if v := s.variant(); v != nil {
		return v.Tools
	}
	return &tools
}

// recordCall records a call. It changes nothing before its result reports that it was accepted.
func (s *Session) recordCall(l *Line, b stream.Block) {
	name := string(b.Word("name"))
	tool := s.tool(name)
	if l.sub() {
		s.NoteSubAgentCall(l.parent, name, b.Member("input").Raw())
	} else {
		s.CurrentTurn(l.At()).NoteQuestion(b.Word("id"), questionOf(name, b.Member("input")))
	}
	switch {
	case tool == nil && !l.sub() && name != "ToolSearch" && name != "tool_search": // that only loads tools
		t := s.CurrentTurn(l.At())
		s.CountCall(t, b.Word("id"), name, b.Member("input").Raw()) // a line may come twice
		s.ExpectResult(b.Word("id"))
		t.HasSubAgent = t.HasSubAgent || name == "agent" || name == "task"
	case tool != nil && tool.Does != native.Reads: // that shows the model what it wrote
		s.certain = true
		s.RecordPartialCall(stream.AwaitedTodoCall{
			ID: string(b.Word("id")), Tool: tool, SubAgent: s.subAgent(l), Parent: string(l.parent), UUID: string(l.uuid()), Input: b.Member("input").Raw(),
			After: s.tasks.ChangeCount(),
		})
	default:
		s.NoteCallOfAgent(s.subAgent(l), b.Word("id"), name, b.Member("input").Raw())
	}
}

// subAgent names the line's sub-agent. Older versions have no agent_id, and a name must not change within the stream,
// so the first line's name stays.
func (s *Session) subAgent(l *Line) string {
	if !l.sub() {
		return ""
	}
	id := string(l.agentID)
	if id == "" {
		id = string(l.parent)
	}
	if len(l.parent) == 0 {
		return stream.SubAgentName(id)
	}
	name, known := s.subs[string(l.parent)]
	if !known {
		if s.subs == nil || len(s.subs) >= maxRoots {
			s.subs = make(map[string]string)
		}
		name = stream.SubAgentName(id)
		s.subs[string(l.parent)] = name
	}
	return name
}

// asksUser reports whether a tool asks the user something. In a run, its call is refused.
func asksUser(tool string) bool { return tool == "AskUserQuestion" || tool == "ask_user_question" }

// questionOf returns what a call asks the user; empty if it is one of another tool.
func questionOf(tool string, input stream.Value) string {
	if !asksUser(tool) {
		return ""
	}
	var questions []string
	for q := range input.Member("questions").Values('[') {
		if text := string(q.Text("question")); text != "" {
			questions = append(questions, text)
		}
	}
	return strings.Join(questions, " ")
}

// deniedBy reports whether the text of a result says that the call lacked a permission.
func deniedBy(text string) bool {
	return strings.HasPrefix(text, "This command requires approval") ||
		strings.HasPrefix(text, "Claude requested permissions to ") && strings.Contains(text, "haven't granted it") ||
		strings.HasPrefix(text, "Permission to use ") && strings.Contains(text, " been denied")
}

// applyResult applies a call whose result has come. The line's tool_use_result is the result of one tool,
// so it is of no use if the line holds several results.
func (s *Session) applyResult(l *Line, b stream.Block) {
	s.NoteAnswer(b.Word("tool_use_id"), b.Member("content"), b.Member("is_error"))
	if t := s.NewestTurn(); t != nil && !l.sub() && b.IsTrue("is_error") && deniedBy(b.Member("content").ContentText()) {
		t.NoteDenied(b.Word("tool_use_id"), "") // a turn that is cut off has no result that names it
	}
	if t := s.NewestTurn(); t != nil && !b.IsTrue("is_error") {
		t.NoteQuestionAnswered(b.Word("tool_use_id"))
	}
	switch {
	case l.sub():
	case b.IsTrue("is_error"):
		s.NoteFailedCall(b.Word("tool_use_id"))
	case !l.result().IsTrue("isAsync"): // else its sub-agent has only begun
		s.NoteSubAgentEnd(b.Word("tool_use_id"), l.result().Word("totalToolUseCount"))
	}
	call, ok := s.PopCall(b.Word("tool_use_id"))
	if !ok {
		return
	}
	s.c.Now = s

	alone := l.content.Results() == 1
	text, refused, result := b.Member("content").ContentText(), b.IsTrue("is_error"), l.result()
	if v := s.variant(); v != nil {
		v.ApplyResult(s.Session, call, refused, text, l.At())
		return
	}
	if !refused && alone && result.IsString() && s.refused(result.ContentText()) {
		text, refused = result.ContentText(), true
	}
	if refused || s.refused(text) {
		// A sub-agent may lack the tool even if the main agent has it.
		s.Reject(call, text, call.SubAgent == "" && strings.Contains(text, "No such tool"))
		return
	}
	s.Counts.TodoTool = stream.TodoToolOn
	accepted := native.Call{Input: call.Input, Said: text, After: call.After}
	if alone {
		accepted.Result = result.Raw()
	}
	if call.Tool.Does == native.Writes {
		s.write(call, accepted, l.At())
	} else {
		s.applyTaskResult(call, accepted, l.At())
	}
}

// write applies TodoWrite, which sends the whole list. The result repeats it as accepted;
// a sub-agent's result does not, so there the list is the call's own.
func (s *Session) write(call stream.AwaitedTodoCall, accepted native.Call, at todo.Time) {
	items, ok := s.Accepted(call, native.ListIn(accepted.Result, accepted.Input))
	if !ok {
		return
	}
	s.remember(change{uuid: call.UUID, sub: call.SubAgent, parent: call.Parent, before: s.lists[call.SubAgent]})
	if s.lists == nil || len(s.lists) > maxSubs {
		s.lists = map[string][]todo.Item{"": s.lists[""]}
	}
	s.lists[call.SubAgent] = items
	s.updateWeight()
	s.EmitList(stream.Update{SubAgent: call.SubAgent, Parent: call.Parent, TodoID: call.ID, At: at}, items)
}

// Stop ends the session at the end of the input, or when lines of another agent follow.
func (s *Session) Stop() {
	s.AbandonCalls()
	s.endTurns()
}

// endTurns ends what is open as another session begins. Results may still come, should the two run side by side.
func (s *Session) endTurns() {
	s.EndOpenTurns(0)
	s.changes = nil
	s.background = false
}
