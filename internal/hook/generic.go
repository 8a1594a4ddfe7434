package hook

import (
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
)

// readGeneric reads an event in our own words, from whatever starts us:
// stop, subagent-stop, session-start, or one of the events of `onward event`, with their members in snake case.
func readGeneric(p payload) Call {
	c := Call{
		Event:      p.text("event", "type", "hook_event_name"),
		Agent:      native.ID(p.text("agent")),
		Session:    p.text("session_id"),
		Anonymous:  p.get("session_id") == nil,
		SubAgent:   p.text("agent_id", "sub_agent"),
		Dir:        p.text("cwd", "directory"),
		Transcript: p.text("transcript_path"),
		Model:      p.text("model"),
		Message:    p.text("last_assistant_message"),
		Key:        p.text("prompt_key", "prompt_id", "turn_id"),
		NoTodoTool: string(p.get("todo_tool")) == "false",
		Facts: continuation.Facts{
			PendingToolCalls: p.count("pending_tool_calls"),
			Background:       p.count("background"),
			QueuedMessages:   p.count("queued_messages"),
			AgentMode:        p.text("agent_mode", "permission_mode"),
			CanWrite:         p.flagOrNil("can_write"),
			ContextRatio:     p.number("context_ratio"),
			SpendUSD:         p.number("spend_usd"),
			SpendTokens:      p.wholeOrNil("spend_tokens"),
			ElapsedMS:        p.wholeOrNil("elapsed_ms"),
		},
	}
	if p.flag("stop_hook_active") {
		c.Again = "again"
	}
	switch t := continuation.Type(strings.ReplaceAll(strings.ToLower(c.Event), "_", "-")); t {
	case "stop", "subagent-stop":
		c.Kind = Stop
		if t == "subagent-stop" {
			c.Kind = SubagentStop
		}
		if n := p.count("tool_calls"); n != nil {
			c.Facts.ToolCalls = n
		}
	case "session-start":
		c.Kind = Start
	case continuation.UserPrompt:
		c.prompt(p.text("prompt", "text"), c.Key)
	case continuation.ToolStart:
		c.began()
	case continuation.ToolEnd:
		c.ended(p.text("tool_name", "tool"), p.object("tool_input"), p.get("tool_response"), false)
	case continuation.AssistantMessage:
		c.Kind, c.Activity = Report, t
	case continuation.Todos:
		c.Kind, c.List = Report, wholeList(p.get("todos", "items"))
	case continuation.Resume:
		// A person's own switch is no agent's to use.
	default:
		e := continuation.Event{
			Type: t, Status: continuation.TurnStatus(p.text("status")), ErrorClass: continuation.ErrorClass(p.text("error_class")),
			Reason: p.text("reason"), ID: native.ID(p.text("id")), Kind: p.text("kind"),
		}
		if n := p.count("tool_calls"); n != nil {
			e.ToolCalls = *n
		}
		if n := p.wholeOrNil("retry_after_ms"); n != nil {
			e.RetryAfter = *n
		}
		if continuation.CheckEvent(e) == nil {
			c.report(e)
		}
	}
	return c
}

// genericTodoToolOff takes the caller's word for it.
func genericTodoToolOff(c Call, _ func(string) string) bool { return c.NoTodoTool }

// flagOrNil gives true or false, or nil.
func (p payload) flagOrNil(name string) *bool {
	switch v := string(p.get(name)); v {
	case "true", "false":
		b := v == "true"
		return &b
	}
	return nil
}

// wholeOrNil gives a whole number that is not negative, or nil.
func (p payload) wholeOrNil(name string) *int64 {
	n := p.number(name)
	if n == nil || *n < 0 || *n > 1<<53 {
		return nil
	}
	whole := int64(*n)
	return &whole
}

// writeDecision answers who reads our own words: at a stop the whole decision as check-continue gives it,
// else what there is to say.
func writeDecision(_ Call, a Answer) Reply {
	switch {
	case len(a.Decision) > 0:
		return Reply{Stdout: string(a.Decision)}
	case a.Refused != "":
		return Reply{Stdout: line("", pair{"action", "handled"}, pair{"message", a.Refused})}
	case a.Context != "":
		return Reply{Stdout: line("", pair{"context", a.Context})}
	}
	return Reply{Stdout: "{}\n"}
}
