package hook

import (
	"cmp"

	continuation "onward/internal/continue"
	"onward/internal/native"
)

// readCursor reads an event of Cursor. A stop can be the user's interrupt or an error:
// only the status tells, and neither may be continued.
func readCursor(p payload) Call {
	c := Call{
		Event:      p.text("hook_event_name"),
		Session:    p.text("conversation_id", "session_id"),
		Transcript: p.text("transcript_path"),
		Model:      p.text("model"),
		Key:        p.text("generation_id"),
		Again:      p.text("loop_count"),
		Facts:      continuation.Facts{AgentMode: p.text("composer_mode")},
	}
	if roots := p.list("workspace_roots"); len(roots) > 0 {
		c.Dir = roots[0].text()
	}
	c.Dir = cmp.Or(c.Dir, p.text("cwd"))
	switch c.Event {
	case "sessionStart":
		c.Kind = Start
	case "sessionEnd":
		c.report(continuation.Event{Type: continuation.SessionEnd})
	case "beforeSubmitPrompt":
		c.prompt(p.text("prompt"), c.Key)
	case "afterAgentResponse", "afterAgentThought":
		c.Kind, c.Activity = Report, continuation.AssistantMessage
	case "preToolUse", "beforeShellExecution", "beforeMCPExecution":
		c.began()
	case "postToolUse":
		c.ended(p.text("tool_name"), p.object("tool_input"), p.get("tool_output", "tool_response"), false)
	case "postToolUseFailure":
		c.ended(p.text("tool_name"), p.object("tool_input"), nil, true)
	case "afterFileEdit":
		c.Kind, c.Activity = Report, continuation.ToolEnd
	case "subagentStart":
		if id := p.text("subagent_id"); id != "" {
			c.report(continuation.Event{Type: continuation.BackgroundStart, ID: native.ID(id), Kind: "subagent"})
		}
	case "subagentStop":
		c.Kind, c.SubAgent = SubagentStop, p.text("subagent_id")
		c.cursorStatus(p)
	case "preCompact":
		c.report(continuation.Event{Type: continuation.CompactionStart})
	case "stop":
		c.Kind = Stop
		c.cursorStatus(p)
	}
	return c
}

// cursorStatus takes over how the turn ended.
func (c *Call) cursorStatus(p payload) {
	switch p.text("status") {
	case "aborted":
		c.Events = append(c.Events, continuation.Event{Type: continuation.Abort})
	case "error":
		c.Events = append(c.Events, continuation.Event{Type: continuation.Error, ErrorClass: errorClass("", p.text("error_message", "error"))})
	}
}

// writeCursor answers Cursor, which knows no decisions at a stop: it is given the next message.
func writeCursor(c Call, a Answer) Reply {
	switch {
	case a.Refused != "":
		return Reply{Stdout: `{"continue":false,` + line("", pair{"user_message", a.Refused})[1:]}
	case a.Prompt != "":
		return Reply{Stdout: line("", pair{"followup_message", a.Prompt})}
	case a.Context != "" && c.Kind == Start:
		return Reply{Stdout: line("", pair{"additional_context", a.Context})}
	}
	return Reply{Stdout: "{}\n"}
}
