package agent

import (
	"bytes"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// codexRollout reads the files in which Codex keeps its threads, ~/.codex/sessions/…/rollout-*.jsonl.
//
// A plan is a call of update_plan, whose arguments are JSON within a string; the call's output shows whether it was accepted.
// Unlike the stream of codex exec, the file contains which step is in progress.
//
// `codex exec --json` printed the same events before October 2025, each as the member msg of a line.
//
// Since September 2025 a line is an envelope with a payload. Before, the line was only the payload,
// after a header that has no type. Turns have events of their own in the newer files;
// in the older ones a turn is what follows a user's message.
type codexRollout struct {
	single

	line   rolloutLine // the one that is being read
	thread rolloutThread
	history
	list    []todo.Item // as it is
	told    uint64      // sum of the plan that was last reported in this turn, 0 if none was
	sums    recent
	evented bool // an event began the turn, so an event ends it
	fresh   bool // the turn has nothing but messages of the user
	settled bool // the last thing was a message of the model
	failed  bool // the last thing was an error
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

// detectCodexRollout knows the first line of older files, which has no type, and the events that older versions printed.
func detectCodexRollout(h *head) bool {
	if len(h.typ) > 0 {
		return false
	}
	switch event := string(h.msg.member("type").word()); event {
	case "session_configured", "task_started", "plan_update", "agent_message", "exec_command_begin", "task_complete":
		return h.has("id")
	case "":
	default:
		return h.seen && h.has("id")
	}
	return h.has("record_type") || h.has("id", "timestamp", "instructions")
}

// isRolloutTool reports whether an item is a call of a tool.
func isRolloutTool(typ []byte) bool { return bytes.HasSuffix(typ, []byte("_call")) }

func (c *codexRollout) read(line []byte) error {
	l := &c.line
	*l = rolloutLine{payload: rolloutItem{content: l.payload.content[:0]}, rolloutItem: rolloutItem{content: l.content[:0]}}
	if err := readLine(line, l.members); err != nil {
		return err
	}
	at := instant(l.timestamp)
	it := &l.rolloutItem
	typ := string(l.typ)
	meta := typ == "session_meta"
	switch typ {
	case "":
		if l.older {
			c.known()
			c.olderEvent(&l.payload, at)
			return nil
		}
		if len(l.id) == 0 && len(l.recordType) == 0 {
			return errUnknownType
		}
		meta = true
	case "session_meta", "response_item", "event_msg":
		if !l.enveloped {
			return errUnknownType
		}
		it = &l.payload
	}
	if meta && len(it.id) > 0 {
		c.header(it, at)
	}
	c.known()
	if of := string(l.payload.threadID); of != "" && c.s.id == "" && (typ == "event_msg" || typ == "token_usage_record") {
		// The file's beginning is missing.
		c.s.name(of)
		c.thread.id = of
	}
	switch {
	case meta:
	case typ == "event_msg":
		c.event(it, at)
	case typ == "response_item", !l.enveloped && c.a.knows(l.typ):
		c.item(it, at)
	}
	return nil
}

// olderEvent follows the stream of `codex exec --json` before October 2025, whose events are those of a file, with their calls.
func (c *codexRollout) olderEvent(it *rolloutItem, at todo.Time) {
	switch string(it.typ) {
	case "session_configured":
		c.header(&rolloutItem{id: it.sessionID}, at)
	case "exec_command_begin", "patch_apply_begin", "mcp_tool_call_begin", "web_search_begin":
		c.s.current(at).tools++
	case "agent_message":
		c.acts()
		c.s.current(at).recordMessage(it.message)
	default:
		c.event(it, at)
	}
}

func (c *codexRollout) event(it *rolloutItem, at todo.Time) {
	typ := string(it.typ)
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
		last := it.lastMessage.text()
		if len(last) > 0 {
			t.recordMessage(last)
		}
		if why := it.failed; len(why) > 0 && why[0] != 'n' {
			c.fails(string(why.member("message").text()))
			last = nil
		}
		if c.failed && len(last) == 0 {
			c.end(continuation.Failed, at)
		} else {
			c.end(continuation.Done, at)
		}
	case "turn_aborted":
		c.s.current(at)
		c.end(continuation.Aborted, at)
	case "error":
		c.s.current(at)
		c.fails(string(it.message))
	case "thread_rolled_back":
		c.rollBack(it.dropped, at)
	case "plan_update":
		c.planned(it.plan, at)
	}
}

func (c *codexRollout) item(it *rolloutItem, at todo.Time) {
	typ := string(it.typ)
	switch {
	case typ == "message" && string(it.role) == "user":
		c.user(it, at)
	case typ == "message" && string(it.role) == "assistant":
		c.acts()
		c.settled = true
		t := c.s.current(at)
		t.text.reset()
		for i := range it.content {
			t.text.add(it.content[i].text.text())
		}
	case typ == "function_call_output", typ == "custom_tool_call_output":
		c.settled = false
		c.output(it, at)
	case isRolloutTool(it.typ) && string(it.name) == "update_plan":
		c.acts()
		c.s.current(at)
		args := it.arguments
		if len(args) == 0 {
			args = it.input
		}
		c.s.show(todoCall{id: string(it.callID), tool: "update_plan", input: args.unpacked()})
	case isRolloutTool(it.typ):
		c.acts()
		t := c.s.current(at)
		if string(it.name) != "exec" || !bytes.Contains(it.input, []byte(planCall)) {
			t.tools++
			return
		}
		c.s.sum.TodoTool = TodoToolOn
		plan, alone := planIn(it.input.unpacked())
		if !alone {
			t.tools++
		}
		if plan != nil {
			c.s.show(todoCall{id: string(it.callID), tool: "update_plan", input: plan, coded: true})
		} else if !c.coded {
			c.coded = true
			c.s.warn("a plan is put together by code, and what it holds is not told")
		}
	case typ == "reasoning":
		c.acts()
	}
}
