package codex

import (
	"bytes"
	"slices"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// rollout reads the files in which Codex keeps its threads, ~/.codex/sessions/…/rollout-*.jsonl.
//
// A plan is a call of update_plan, whose arguments are JSON within a string; the call's output
// shows whether it was accepted. Unlike the stream of codex exec, the file contains which step is
// in progress.
//
// `codex exec --json` printed the same events before October 2025, each as the member msg of a line.
//
// Since September 2025 a line is an envelope with a payload. Before, the line was only the payload,
// after a header that has no type. Turns have events of their own in the newer files;
// in the older ones a turn is what follows a user's message.
type rollout struct {
	stream.SequentialSessions

	thread rolloutThread
	stream.History
	evented bool // an event began the turn, so an event ends it
	fresh   bool // the turn has nothing but messages of the user
	ahead   bool // a turn of the thread's goal has begun, and nothing happened in it
	coded   bool // a plan was put together by code
}

var rolloutLines = []stream.LineType{
	{Name: "session_meta", Marks: "payload"},
	{Name: "response_item", Marks: "payload"},
	{Name: "event_msg", Marks: "payload"},
	{Name: "turn_context", Marks: "payload"},
	{Name: "compacted", Marks: "payload"},
	{Name: "world_state"},
	{Name: "token_usage_record"},
	{Name: "inter_agent_communication"},
	{Name: "inter_agent_communication_metadata"},
	{Name: "session_state"},

	// Items, as lines of their own in older files.
	{Name: "function_call", Marks: "call_id arguments"},
	{Name: "function_call_output", Marks: "call_id output"},
	{Name: "custom_tool_call_output"},
	{Name: "message"},
	{Name: "reasoning"},
	{Name: "ghost_snapshot"},
	{Name: "compaction"},
}

// detectRollout knows the first line of older files, which has no type, and the events that
// older versions printed.
func detectRollout(l *stream.Line) bool {
	if len(l.Type) > 0 {
		return false
	}
	switch event := string(l.Word("msg", "type")); event {
	case "session_configured", "task_started", "plan_update", "agent_message", "exec_command_begin", "task_complete":
		return l.Has("id")
	case "":
	default:
		return l.Seen && l.Has("id")
	}
	return l.Has("record_type") || l.Has("id", "timestamp", "instructions")
}

// isRolloutTool reports whether an item is a call of a tool.
func isRolloutTool(typ []byte) bool { return bytes.HasSuffix(typ, []byte("_call")) }

func (c *rollout) Read(l *stream.Line) error {
	at, typ, it := stream.ParseInstant(l.Word("timestamp")), string(l.Type), l.Value
	payload := l.Member("payload")
	enveloped := payload.Kind() == '{'
	meta := typ == "session_meta"
	switch typ {
	case "":
		if event := l.Member("msg"); event.Kind() == '{' {
			c.KnownSession()
			c.olderEvent(event, at)
			return nil
		}
		if len(l.Word("id")) == 0 && len(l.Word("record_type")) == 0 {
			return stream.ErrUnknownType
		}
		meta = true
	case "tool_call", "message", "reasoning":
		if l.Has("session_id") {
			return stream.ErrOtherAgent // lines that name their session are another agent's
		}
	case "session_meta", "response_item", "event_msg":
		if !enveloped {
			return stream.ErrUnknownType
		}
		it = payload
	}
	if id := string(it.Word("id")); meta && id != "" {
		c.enterThread(id, it, stream.ParseInstant(payload.Word("timestamp")), at)
	}
	c.KnownSession()
	if of := string(payload.Word("thread_id")); of != "" && c.Session.ID == "" && (typ == "event_msg" || typ == "token_usage_record") {
		// The file's beginning is missing.
		c.Session.SetID(of)
		c.thread.id = of
	}
	switch {
	case meta:
	case typ == "event_msg":
		c.event(it, at)
	case typ == "response_item", !enveloped && c.KnowsType(l.Type):
		c.item(it, at)
	}
	return nil
}

// olderEvent follows the stream of `codex exec --json` before October 2025, whose events are those
// of a file, with their calls.
func (c *rollout) olderEvent(it stream.Value, at todo.Time) {
	switch string(it.Word("type")) {
	case "session_configured":
		c.enterThread(string(it.Word("session_id")), nil, 0, at)
	case "exec_command_begin", "patch_apply_begin", "mcp_tool_call_begin", "web_search_begin":
		c.Session.CurrentTurn(at).Tools++
	case "agent_message":
		c.acts(at).RecordMessage(it.Text("message"))
	default:
		c.event(it, at)
	}
}

func (c *rollout) event(it stream.Value, at todo.Time) {
	typ := string(it.Word("type"))
	switch typ {
	case "task_complete", "turn_complete", "turn_aborted":
		if c.Session.TurnOver {
			return // some versions report an abort twice, as a message and as an event
		}
	}
	if c.ahead && (typ == "turn_aborted" || typ == "task_complete" || typ == "error") {
		if typ == "turn_aborted" { // by `codex exec`, which ends with the turn that it was asked for
			c.ahead = false
			return
		}
		c.acts(at)
	}
	switch typ {
	case "task_started", "turn_started":
		if string(it.Word("turn_attribution", "turn_trigger")) == "goal" {
			c.ahead = true
			return
		}
		c.begin(at)
		c.evented = true
	case "user_message":
		if !c.evented {
			c.followUserMessage(at)
		}
	case "task_complete", "turn_complete":
		t := c.Session.CurrentTurn(at)
		last := it.Text("last_agent_message")
		if len(last) > 0 {
			t.RecordMessage(last)
		}
		if why := it.Member("error"); why != nil && why.Kind() != 'n' {
			c.fails(string(why.Text("message")))
			last = nil
		}
		if t.Last == stream.LastFailure && len(last) == 0 {
			c.Session.CloseTurn(continuation.Failed, at)
		} else {
			c.Session.CloseTurn(continuation.Done, at)
		}
	case "turn_aborted":
		c.Session.CurrentTurn(at)
		c.Session.CloseTurn(continuation.Aborted, at)
	case "error":
		c.Session.CurrentTurn(at)
		c.fails(string(it.Text("message")))
	case "token_count":
		c.noteLimits(it.Member("rate_limits"), at)
	case "thread_rolled_back":
		c.rollBack(it.Word("num_turns"), at)
	case "plan_update":
		c.planned(it.Member("plan"), at)
	case "thread_goal_updated":
		goal(c.Session, it.Member("goal"), at)
	default:
		c.Session.CountUnknown(it.Word("type"), ignoredEvents, "event_msg")
	}
}

func (c *rollout) item(it stream.Value, at todo.Time) {
	typ, role, call := string(it.Word("type")), string(it.Word("role")), isRolloutTool(it.Word("type"))
	name, id, code := string(it.Word("name")), string(it.Word("call_id")), it.Member("input")
	switch {
	case typ == "message" && role == "user":
		c.user(it, at)
	case typ == "message" && role == "assistant":
		t := c.acts(at)
		t.Last = stream.LastAnswer
		t.Text.Reset()
		for b := range it.Blocks("content") {
			t.Text.Add(b.Text("text"))
		}
	case typ == "function_call_output", typ == "custom_tool_call_output":
		if t := c.Session.NewestTurn(); t != nil && t.Last == stream.LastAnswer {
			t.Last = stream.LastOther
		}
		if c.Session.FindsLoops() {
			c.Session.NoteAnswerText(it.Word("call_id"), 0, printed(it.Member("output")))
		}
		c.applyOutput(it, at)
	case call && name == "update_plan":
		c.acts(at)
		c.Session.RecordPartialCall(stream.AwaitedTodoCall{ID: id, Tool: planTool(), Input: it.Either("arguments", "input").EmbeddedJSON()})
	case call:
		t := c.acts(at)
		if slices.Contains(goalTools, name) {
			return
		}
		if name != "exec" || !bytes.Contains(code.Raw(), []byte(planCall)) {
			t.Tools++
			if c.Session.FindsLoops() {
				c.Session.NoteCall(stream.Word(id), name, it.Either("arguments", "input").EmbeddedJSON())
			}
			c.Session.ExpectResult(stream.Word(id))
			return
		}
		c.Session.Counts.TodoTool = stream.TodoToolOn
		plan, alone := planIn(code.EmbeddedJSON())
		if !alone {
			t.Tools++
		}
		if plan != nil {
			c.Session.RecordPartialCall(stream.AwaitedTodoCall{ID: id, Tool: planTool(), Input: plan, Coded: true})
		} else if !c.coded {
			c.coded = true
			c.Session.Warn("a plan is put together by code, so its items are not known")
		}
	case typ == "reasoning":
		c.fresh = false
		c.Session.SetLastStep(stream.LastOther)
	default:
		c.Session.CountUnknown(it.Word("type"), ignoredItems, "response_item")
	}
}
