package hook

import (
	"cmp"
	"slices"
	"strings"

	continuation "onward/internal/continue"
)

// readOpencode reads an event of opencode as onward's plugin passes it on:
// the event as opencode's bus has it, {"type":…,"properties":{…}}, or the input of a plugin's hook
// under the hook's name, with the folder as directory.
func readOpencode(p payload) Call {
	inner := p.Object("properties")
	info := inner.Object("info")
	session := cmp.Or(p.Text("session_id"), inner.Text("session_id"), info.Text("session_id"))
	c := Call{
		Event:   p.Text("type", "event", "hook_event_name"),
		Dir:     p.Text("directory", "cwd", "worktree"),
		Model:   p.Text("model"),
		Message: p.Text("last_assistant_message", "message"),
		Key:     p.Text("message_id"),
		Facts:   continuation.Facts{AgentMode: p.Text("agent", "agent_mode")},
	}
	switch c.Event {
	case "session.created", "session.started":
		c.Kind = Start
		session = cmp.Or(session, info.Text("id"))
	case "session.deleted":
		c.report(continuation.Event{Type: continuation.SessionEnd})
		session = cmp.Or(session, info.Text("id"))
	case "session.idle":
		c.Kind = Stop
	case "session.countdown":
		c.Kind, c.Ahead = Stop, true
	case "session.error":
		failure := inner.Object("error")
		if failure == nil {
			failure = p.Object("error")
		}
		c.opencodeError(failure)
	case "session.compacting", "experimental.session.compacting":
		c.report(continuation.Event{Type: continuation.CompactionStart})
	case "session.compacted":
		c.report(continuation.Event{Type: continuation.CompactionEnd})
	case "todo.updated":
		todos := inner.Get("todos")
		if todos == nil {
			todos = p.Get("todos")
		}
		c.Kind, c.List = Report, wholeList(todos)
	case "chat.message":
		c.prompt(cmp.Or(p.Text("prompt", "text"), joinParts(p.List("parts"))), c.Key)
		if p.Flag("synthetic") || synthetic(p.List("parts")) {
			c.unspoken()
		}
	case "message.updated", "message.part.updated":
		// A user's message comes without its text here, so it cannot be distinguished from a prompt of onward.
		switch {
		case info.Object("error").Text("name") == "MessageAbortedError":
			c.report(continuation.Event{Type: continuation.Abort})
		case info.Text("role") != "user":
			c.Kind, c.Activity = Report, continuation.AssistantMessage
		}
	case "tool.execute.before":
		c.began()
	case "tool.execute.after":
		c.ended(p.Text("tool", "tool_name"), p.Get("args", "tool_input"), p.Get("output", "tool_response"), false)
	}
	c.Session = session
	if parent := cmp.Or(p.Text("parent_id"), info.Text("parent_id")); parent != "" {
		c.Session, c.SubAgent = parent, session
		if c.Kind == Stop {
			c.Kind = SubagentStop
		}
	}
	return c
}

// opencodeError distinguishes the user's interrupt from a failure.
func (c *Call) opencodeError(failure payload) {
	name, data := failure.Text("name"), failure.Object("data")
	switch name {
	case "MessageAbortedError", "AbortError":
		c.report(continuation.Event{Type: continuation.Abort})
		return
	case "ProviderAuthError":
		c.failed("authentication_failed")
		return
	case "MessageOutputLengthError":
		c.failed("")
		return
	}
	message := cmp.Or(data.Text("message"), failure.Text("message"))
	if code := data.Text("status_code"); code != "" {
		message = "status " + code + " " + message
	}
	c.failed(name, message)
}

// synthetic reports whether opencode, or a plugin of it, wrote every part of a message.
func synthetic(parts []value) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(v value) bool { return !v.Object().Flag("synthetic") })
}

// joinParts returns the text of a message that comes in parts.
func joinParts(parts []value) string {
	var texts []string
	for _, v := range parts {
		if part := v.Object(); part.Text("text") != "" && !part.Flag("ignored") {
			texts = append(texts, part.Text("text"))
		}
	}
	return strings.Join(texts, "\n")
}
