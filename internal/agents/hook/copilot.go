package hook

import (
	"cmp"
	"strings"

	continuation "onward/internal/continue"
)

// readCopilot reads an event of GitHub Copilot CLI. Configured with names such as Stop, it contains the event's name;
// configured with names such as agentStop, it does not, and only the members identify it.
func readCopilot(p payload) Call {
	c := likeClaude(p, cmp.Or(p.Text("hook_event_name"), copilotEvent(p)))
	switch {
	case strings.EqualFold(c.Event, "sessionEnd") && p.Text("reason") == "error":
		c.Events = nil
		c.failed("") // errors that it could not recover from
		c.report(continuation.Event{Type: continuation.SessionEnd})
	case strings.EqualFold(c.Event, "errorOccurred"):
		if p.Flag("recoverable") {
			c.report() // it tries again by itself; a turn that failed for good ends the session
			break
		}
		failure := p.Object("error")
		c.report(because(continuation.Event{Type: continuation.Error}, failure.Text("name"), failure.Text("message")))
	case c.Kind == Stop || c.Kind == SubagentStop:
		switch p.Text("stop_reason") {
		case "aborted", "abort", "cancelled", "canceled", "user_abort":
			c.Events = append(c.Events, continuation.Event{Type: continuation.Abort})
		}
		c.SubAgent = cmp.Or(c.SubAgent, p.Text("agent_name"))
	}
	return c
}

// copilotEvent identifies an event by its members.
func copilotEvent(p payload) string {
	has := func(name string) bool { return p.Get(name) != nil }
	switch {
	case has("stop_reason") && (has("agent_id") || has("agent_name")):
		return "subagentStop"
	case has("stop_reason"):
		return "agentStop"
	case has("tool_result"):
		return "postToolUse"
	case has("tool_name"):
		return "preToolUse"
	case has("error"):
		return "errorOccurred"
	case has("source"):
		return "sessionStart"
	case has("prompt"):
		return "userPromptSubmitted"
	case has("reason"):
		return "sessionEnd"
	}
	return ""
}

// writeCopilot answers with one object on one line: two objects would count as no answer.
func writeCopilot(_ Call, a Answer) Reply {
	switch {
	case a.Prompt != "":
		return Reply{Stdout: line("", pair{"decision", "block"}, pair{"reason", a.Prompt})}
	case a.Context != "":
		return Reply{Stdout: line("", pair{"additionalContext", a.Context})}
	}
	return Reply{}
}
