package hook

import (
	"cmp"
	"strings"

	continuation "onward/internal/continue"
)

// readOpencode reads an event of opencode as a small plugin of ours passes it on:
// the event as opencode's bus has it, {"type":…,"properties":{…}}, or the input of a plugin's hook under the hook's name,
// with the folder as directory.
func readOpencode(p payload) Call {
	inner := p.object("properties")
	info := inner.object("info")
	session := cmp.Or(p.text("session_id"), inner.text("session_id"), info.text("session_id"))
	c := Call{
		Event:   p.text("type", "event", "hook_event_name"),
		Dir:     p.text("directory", "cwd", "worktree"),
		Model:   p.text("model"),
		Message: p.text("last_assistant_message", "message"),
		Key:     p.text("message_id"),
		Facts:   continuation.Facts{AgentMode: p.text("agent", "agent_mode")},
	}
	switch c.Event {
	case "session.created", "session.started":
		c.Kind = Start
		session = cmp.Or(session, info.text("id"))
	case "session.deleted":
		c.report(continuation.Event{Type: continuation.SessionEnd})
		session = cmp.Or(session, info.text("id"))
	case "session.idle":
		c.Kind = Stop
	case "session.countdown":
		c.Kind, c.Ahead = Stop, true
	case "session.error":
		failure := inner.object("error")
		if failure == nil {
			failure = p.object("error")
		}
		c.opencodeError(failure)
	case "session.compacting", "experimental.session.compacting":
		c.report(continuation.Event{Type: continuation.CompactionStart})
	case "session.compacted":
		c.report(continuation.Event{Type: continuation.CompactionEnd})
	case "todo.updated":
		todos := inner.get("todos")
		if todos == nil {
			todos = p.get("todos")
		}
		c.Kind, c.List = Report, wholeList(todos)
	case "chat.message":
		c.prompt(cmp.Or(p.text("prompt", "text"), joinParts(p.list("parts"))), c.Key)
	case "message.updated", "message.part.updated":
		// A user's message comes without its text here, so it cannot be told from our own prompt.
		switch {
		case info.object("error").text("name") == "MessageAbortedError":
			c.report(continuation.Event{Type: continuation.Abort})
		case info.text("role") != "user":
			c.Kind, c.Activity = Report, continuation.AssistantMessage
		}
	case "tool.execute.before":
		c.began()
	case "tool.execute.after":
		c.ended(p.text("tool", "tool_name"), p.object("args", "tool_input"), p.get("output", "tool_response"), false)
	}
	c.Session = session
	if parent := cmp.Or(p.text("parent_id"), info.text("parent_id")); parent != "" {
		c.Session, c.SubAgent = parent, session
		if c.Kind == Stop {
			c.Kind = SubagentStop
		}
	}
	return c
}

// opencodeError tells the user's interrupt from a failure.
func (c *Call) opencodeError(failure payload) {
	name, data := failure.text("name"), failure.object("data")
	switch name {
	case "MessageAbortedError", "AbortError":
		c.report(continuation.Event{Type: continuation.Abort})
		return
	case "ProviderAuthError":
		c.failed(continuation.ErrorAuth)
		return
	case "MessageOutputLengthError":
		c.failed(continuation.ErrorUnknown)
		return
	}
	message := cmp.Or(data.text("message"), failure.text("message"))
	if code := data.text("status_code"); code != "" {
		message = "status " + code + " " + message
	}
	c.failed(errorClass(name, message))
}

// joinParts gives the text of a message that comes in parts.
func joinParts(parts []value) string {
	var texts []string
	for _, v := range parts {
		if part := v.object(); part.text("text") != "" && !part.flag("ignored") {
			texts = append(texts, part.text("text"))
		}
	}
	return strings.Join(texts, "\n")
}
