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
		Event:      p.Text("hook_event_name"),
		Session:    p.Text("conversation_id", "session_id"),
		Transcript: p.Text("transcript_path"),
		Model:      p.Text("model"),
		Key:        p.Text("generation_id"),
		Again:      p.Text("loop_count"),
		Facts:      continuation.Facts{AgentMode: p.Text("composer_mode")},
	}
	if roots := p.List("workspace_roots"); len(roots) > 0 {
		c.Dir = roots[0].Text()
	}
	c.Dir = cmp.Or(c.Dir, p.Text("cwd"))
	switch c.Event {
	case "sessionStart":
		c.Kind = Start
	case "sessionEnd":
		c.report(continuation.Event{Type: continuation.SessionEnd})
	case "beforeSubmitPrompt":
		c.prompt(p.Text("prompt"), c.Key)
	case "afterAgentResponse", "afterAgentThought":
		c.Kind, c.Activity = Report, continuation.AssistantMessage
	case "preToolUse", "beforeShellExecution", "beforeMCPExecution":
		c.began()
	case "postToolUse":
		c.ended(p.Text("tool_name"), p.Get("tool_input"), p.Get("tool_output", "tool_response"), false)
	case "postToolUseFailure":
		c.ended(p.Text("tool_name"), p.Get("tool_input"), nil, true)
	case "afterFileEdit":
		c.Kind, c.Activity = Report, continuation.ToolEnd
	case "subagentStart":
		if id := p.Text("subagent_id"); id != "" {
			c.report(continuation.Event{Type: continuation.BackgroundStart, ID: native.ID(id), Kind: "subagent"})
		}
	case "subagentStop":
		c.Kind, c.SubAgent = SubagentStop, p.Text("subagent_id")
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
	switch p.Text("status") {
	case "aborted":
		c.Events = append(c.Events, continuation.Event{Type: continuation.Abort})
	case "error":
		c.Events = append(c.Events, continuation.Event{Type: continuation.Error, ErrorClass: errorClass("", p.Text("error_message", "error"))})
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
