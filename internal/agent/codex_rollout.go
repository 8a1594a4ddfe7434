package agent

import (
	"bytes"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// codexRollout reads the files in which Codex keeps its threads, ~/.codex/sessions/…/rollout-*.jsonl.
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
type codexRollout struct {
	single

	thread rolloutThread
	history
	evented bool // an event began the turn, so an event ends it
	fresh   bool // the turn has nothing but messages of the user
	coded   bool // a plan was put together by code
}

var codexRolloutLines = []lineType{
	{"session_meta", "payload"},
	{"response_item", "payload"},
	{"event_msg", "payload"},
	{"turn_context", "payload"},
	{"compacted", "payload"},
	{"world_state", unmarked},
	{"token_usage_record", unmarked},
	{"inter_agent_communication", unmarked},
	{"session_state", unmarked},

	// Items, as lines of their own in older files.
	{"function_call", "call_id arguments"},
	{"function_call_output", "call_id output"},
	{"custom_tool_call_output", unmarked},
	{"message", unmarked},
	{"reasoning", unmarked},
	{"ghost_snapshot", unmarked},
	{"compaction", unmarked},
}

// detectCodexRollout knows the first line of older files, which has no type, and the events that
// older versions printed.
func detectCodexRollout(l *line) bool {
	if len(l.typ) > 0 {
		return false
	}
	switch event := string(l.word("msg", "type")); event {
	case "session_configured", "task_started", "plan_update", "agent_message", "exec_command_begin", "task_complete":
		return l.has("id")
	case "":
	default:
		return l.seen && l.has("id")
	}
	return l.has("record_type") || l.has("id", "timestamp", "instructions")
}

// isRolloutTool reports whether an item is a call of a tool.
func isRolloutTool(typ []byte) bool { return bytes.HasSuffix(typ, []byte("_call")) }

func (c *codexRollout) read(l *line) error {
	at, typ, it := instant(l.word("timestamp")), string(l.typ), l.value
	payload := l.member("payload")
	enveloped := payload.kind() == '{'
	meta := typ == "session_meta"
	switch typ {
	case "":
		if event := l.member("msg"); event.kind() == '{' {
			c.known()
			c.olderEvent(event, at)
			return nil
		}
		if len(l.word("id")) == 0 && len(l.word("record_type")) == 0 {
			return errUnknownType
		}
		meta = true
	case "tool_call", "message", "reasoning":
		if l.has("session_id") {
			return errForeign // Droid's lines name their session
		}
	case "session_meta", "response_item", "event_msg":
		if !enveloped {
			return errUnknownType
		}
		it = payload
	}
	if id := string(it.word("id")); meta && id != "" {
		c.header(id, it, instant(payload.word("timestamp")), at)
	}
	c.known()
	if of := string(payload.word("thread_id")); of != "" && c.s.id == "" && (typ == "event_msg" || typ == "token_usage_record") {
		// The file's beginning is missing.
		c.s.name(of)
		c.thread.id = of
	}
	switch {
	case meta:
	case typ == "event_msg":
		c.event(it, at)
	case typ == "response_item", !enveloped && c.a.knows(l.typ):
		c.item(it, at)
	}
	return nil
}

// olderEvent follows the stream of `codex exec --json` before October 2025, whose events are those
// of a file, with their calls.
func (c *codexRollout) olderEvent(it value, at todo.Time) {
	switch string(it.word("type")) {
	case "session_configured":
		c.header(string(it.word("session_id")), nil, 0, at)
	case "exec_command_begin", "patch_apply_begin", "mcp_tool_call_begin", "web_search_begin":
		c.s.current(at).tools++
	case "agent_message":
		c.acts(at).recordMessage(it.text("message"))
	default:
		c.event(it, at)
	}
}

func (c *codexRollout) event(it value, at todo.Time) {
	typ := string(it.word("type"))
	switch typ {
	case "task_complete", "turn_complete", "turn_aborted":
		if c.s.over {
			return // some versions report an abort twice, as a message and as an event
		}
	}
	switch typ {
	case "task_started", "turn_started":
		c.begin(at)
		c.evented = true
	case "user_message":
		if !c.evented {
			c.said(at)
		}
	case "task_complete", "turn_complete":
		t := c.s.current(at)
		last := it.text("last_agent_message")
		if len(last) > 0 {
			t.recordMessage(last)
		}
		if why := it.member("error"); why != nil && why.kind() != 'n' {
			c.fails(string(why.text("message")))
			last = nil
		}
		if t.last == lastFailure && len(last) == 0 {
			c.s.close(continuation.Failed, at)
		} else {
			c.s.close(continuation.Done, at)
		}
	case "turn_aborted":
		c.s.current(at)
		c.s.close(continuation.Aborted, at)
	case "error":
		c.s.current(at)
		c.fails(string(it.text("message")))
	case "token_count":
		c.limits(it.member("rate_limits"), at)
	case "thread_rolled_back":
		c.rollBack(it.word("num_turns"), at)
	case "plan_update":
		c.planned(it.member("plan"), at)
	}
}

func (c *codexRollout) item(it value, at todo.Time) {
	typ, role, call := string(it.word("type")), string(it.word("role")), isRolloutTool(it.word("type"))
	name, id, code := string(it.word("name")), string(it.word("call_id")), it.member("input")
	switch {
	case typ == "message" && role == "user":
		c.user(it, at)
	case typ == "message" && role == "assistant":
		t := c.acts(at)
		t.last = lastAnswer
		t.text.reset()
		for b := range it.blocks("content") {
			t.text.add(b.text("text"))
		}
	case typ == "function_call_output", typ == "custom_tool_call_output":
		if t := c.s.newest(); t != nil && t.last == lastAnswer {
			t.last = lastOther
		}
		c.output(it, at)
	case call && name == "update_plan":
		c.acts(at)
		c.s.show(todoCall{id: id, tool: planTool(), input: it.either("arguments", "input").unpacked()})
	case call:
		t := c.acts(at)
		if name != "exec" || !bytes.Contains(code.raw(), []byte(planCall)) {
			t.tools++
			c.s.runs(word(id))
			return
		}
		c.s.sum.TodoTool = TodoToolOn
		plan, alone := planIn(code.unpacked())
		if !alone {
			t.tools++
		}
		if plan != nil {
			c.s.show(todoCall{id: id, tool: planTool(), input: plan, coded: true})
		} else if !c.coded {
			c.coded = true
			c.s.warn("a plan is put together by code, so its items are not known")
		}
	case typ == "reasoning":
		c.fresh = false
		c.s.ends(lastOther)
	}
}
