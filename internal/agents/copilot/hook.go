package copilot

import (
	"cmp"
	"strings"

	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
)

var protocol = hook.Protocol{
	Name: "copilot", ReportsBothEnds: true, GoAhead: "{}\n", WritesLate: true,
	BlockCap: 8, LacksTodoTool: hook.Always, Parse: readHook, Render: renderHook,
	Ignores: []string{"erroroccurred"},
}

// readHook reads an event of GitHub Copilot CLI. Configured with names such as Stop, it contains the event's name;
// configured with names such as agentStop, it does not, and only the members identify it.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadSharedFormat(p, cmp.Or(p.Text("hook_event_name"), eventOf(p)))
	switch {
	case strings.EqualFold(c.Event, "sessionEnd") && p.Text("reason") == "error":
		c.Events = nil
		c.SetTurnFailed("") // errors that it could not recover from
		c.SetReport(continuation.Event{Type: continuation.SessionEnd})
	case strings.EqualFold(c.Event, "errorOccurred"):
		if p.Flag("recoverable") {
			c.SetReport() // it retries on its own; a turn that failed for good ends the session
			break
		}
		failure := p.Object("error")
		c.SetReport(continuation.Event{Type: continuation.Error})
		c.SetFailure(failure.Text("name"), failure.Text("message"))
	case c.Kind == hook.Stop || c.Kind == hook.SubagentStop:
		switch p.Text("stop_reason") {
		case "aborted", "abort", "cancelled", "canceled", "user_abort":
			c.Events = append(c.Events, continuation.Event{Type: continuation.Abort})
		}
		c.SubAgent = cmp.Or(c.SubAgent, p.Text("agent_name"))
	}
	return c
}

// eventOf identifies an event by its members.
func eventOf(p hook.Payload) string {
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

// renderHook answers with one object on one line: two objects would count as no answer.
func renderHook(_ hook.Call, a hook.Answer) hook.Reply {
	switch {
	case a.Prompt != "":
		return hook.Reply{Stdout: hook.ObjectLine("", "decision", "block", "reason", a.Prompt)}
	case a.Context != "":
		return hook.Reply{Stdout: hook.ObjectLine("", "additionalContext", a.Context)}
	}
	return hook.Reply{}
}
