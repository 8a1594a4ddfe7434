package opencode

import (
	"cmp"
	"slices"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
)

var protocol = hook.Protocol{
	Name: "opencode", ReportsBothEnds: true, RepeatsFailedEnd: true, GoAhead: "{}\n", ReadsDecision: true, CanRefusePrompt: true, ReportsCompactionEnd: true,
	LacksTodoTool: hook.Always, Parse: readHook, Render: hook.RenderWhole,
	Ignores: []string{"message.updated", "message.part.updated"}, // a user's message
}

// readHook reads an event of opencode as onward's plugin passes it on:
// the event as opencode's bus has it, {"type":…,"properties":{…}}, or the input of a plugin's hook
// under the hook's name, with the folder as directory.
func readHook(p hook.Payload) hook.Call {
	inner := p.Object("properties")
	info := inner.Object("info")
	session := cmp.Or(p.Text("session_id"), inner.Text("session_id"), info.Text("session_id"))
	c := hook.Call{
		Event:   p.Text("type", "event", "hook_event_name"),
		Dir:     p.Text("directory", "cwd", "worktree"),
		Model:   p.Text("model"),
		Message: p.Text("last_assistant_message", "message"),
		Key:     p.Text("message_id"),
		Facts:   continuation.Facts{AgentMode: p.Text("agent", "agent_mode")},
	}
	switch c.Event {
	case "session.created", "session.started":
		c.Kind = hook.Start
		session = cmp.Or(session, info.Text("id"))
	case "session.deleted":
		c.SetReport(continuation.Event{Type: continuation.SessionEnd})
		session = cmp.Or(session, info.Text("id"))
	case "session.idle":
		c.Kind = hook.Stop
	case "session.countdown":
		c.Kind, c.Ahead = hook.Stop, true
	case "session.error":
		failure := inner.Object("error")
		if failure == nil {
			failure = p.Object("error")
		}
		setFailure(&c, failure)
	case "session.compacting", "experimental.session.compacting":
		c.SetReport(continuation.Event{Type: continuation.CompactionStart})
	case "session.compacted":
		c.SetReport(continuation.Event{Type: continuation.CompactionEnd})
	case "todo.updated":
		todos := inner.Get("todos")
		if todos == nil {
			todos = p.Get("todos")
		}
		c.SetWholeList(todos)
	case "chat.message":
		c.SetPrompt(cmp.Or(p.Text("prompt", "text"), hook.JoinParts(p.List("parts"))), c.Key)
		if p.Flag("synthetic") || synthetic(p.List("parts")) {
			c.SetAgentPrompt()
		}
	case "message.updated", "message.part.updated":
		// A user's message comes without its text here, so it cannot be distinguished from a prompt of onward.
		switch {
		case info.Object("error").Text("name") == "MessageAbortedError":
			c.SetReport(continuation.Event{Type: continuation.Abort})
		case info.Text("role") != "user":
			c.Kind, c.Activity = hook.Report, continuation.AssistantMessage
		}
	case "tool.execute.before":
		c.SetToolBegan()
	case "tool.execute.after":
		c.SetToolEnded(p.Text("tool", "tool_name"), p.Get("args", "tool_input"), p.Get("output", "tool_response"), false)
	}
	c.Session = session
	if parent := cmp.Or(p.Text("parent_id"), info.Text("parent_id")); parent != "" {
		c.Session, c.SubAgent = parent, session
		if c.Kind == hook.Stop {
			c.Kind = hook.SubagentStop
		}
	}
	return c
}

// setFailure distinguishes the user's interrupt from a failure.
func setFailure(c *hook.Call, failure hook.Payload) {
	name, data := failure.Text("name"), failure.Object("data")
	switch name {
	case "MessageAbortedError", "AbortError":
		c.SetReport(continuation.Event{Type: continuation.Abort})
		return
	case "ProviderAuthError":
		c.SetTurnFailed("authentication_failed")
		return
	case "MessageOutputLengthError":
		c.SetTurnFailed("")
		return
	}
	message := cmp.Or(data.Text("message"), failure.Text("message"))
	if code := data.Text("status_code"); code != "" {
		message = "status " + code + " " + message
	}
	c.SetTurnFailed(name, message)
}

// synthetic reports whether opencode, or a plugin of it, wrote every part of a message.
func synthetic(parts []hook.Value) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(v hook.Value) bool { return !v.Object().Flag("synthetic") })
}
