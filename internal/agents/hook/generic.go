package hook

import (
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
)

// Generic is onward's own protocol, for agents that have no room here.
var Generic = Protocol{
	Name: "generic", GoAhead: "{}\n", ReadsDecision: true, Ignores: []string{"resume"}, // the user's own switch
	CanRefusePrompt: true, ReportsCompactionEnd: true, LacksTodoTool: genericLacksTodoTool, Parse: parseGeneric, Render: RenderWhole,
}

// parseGeneric reads an event in our own words, from any program that starts us:
// stop, subagent-stop, session-start, or one of the events of `onward event`, with their members in snake case.
func parseGeneric(p Payload) Call {
	c := Call{
		Event:      p.Text("event", "type", "hook_event_name"),
		Agent:      native.ShortenID(p.Text("agent")),
		Session:    p.Text("session_id"),
		Anonymous:  p.Get("session_id") == nil,
		SubAgent:   p.Text("agent_id", "sub_agent"),
		Dir:        p.Text("cwd", "directory"),
		Transcript: p.Text("transcript_path"),
		Model:      p.Text("model"),
		Message:    p.Text("last_assistant_message"),
		Key:        p.Text("prompt_key", "prompt_id", "turn_id"),
		NoTodoTool: string(p.Get("todo_tool")) == "false",
		Facts: continuation.Facts{
			PendingToolCalls: p.Count("pending_tool_calls"),
			Background:       p.Count("background"),
			QueuedMessages:   p.Count("queued_messages"),
			AgentMode:        p.Text("agent_mode", "permission_mode"),
			CanWrite:         flag(p, "can_write"),
			ContextRatio:     p.Number("context_ratio"),
			SpendUSD:         p.Number("spend_usd"),
			SpendTokens:      whole(p, "spend_tokens"),
			ElapsedMS:        whole(p, "elapsed_ms"),
		},
	}
	c.Unusable = unusable(p, c.Facts)
	if p.Flag("stop_hook_active") {
		c.Again = "again"
	}
	switch t := continuation.Type(strings.ReplaceAll(strings.ToLower(c.Event), "_", "-")); t {
	case "stop":
		c.Kind, c.Facts.ToolCalls = Stop, p.Count("tool_calls")
	case "subagent-stop":
		c.Kind, c.Facts.ToolCalls = SubagentStop, p.Count("tool_calls")
	case "session-start":
		c.Kind = Start
	case continuation.UserPrompt:
		c.SetPrompt(p.Text("prompt", "text"), c.Key)
	case continuation.ToolStart:
		c.SetToolBegan()
	case continuation.ToolEnd:
		c.SetToolEnded(p.Text("tool_name", "tool"), p.Get("tool_input"), p.Get("tool_response"), false)
	case continuation.AssistantMessage:
		c.Kind, c.Activity = Report, t
	case continuation.Todos:
		c.SetWholeList(p.Get("todos", "items"))
	case continuation.Resume:
		// The user's own switch is no agent's to use.
	default:
		e := continuation.Event{
			Type: t, Status: continuation.TurnStatus(p.Text("status")), ErrorClass: continuation.ErrorClass(p.Text("error_class")),
			Reason: p.Text("reason"), ID: native.ShortenID(p.Text("id")), Kind: p.Text("kind"),
		}
		if n := p.Count("tool_calls"); n != nil {
			e.ToolCalls = *n
		}
		if n := whole(p, "retry_after_ms"); n != nil {
			e.RetryAfter = *n
		}
		if at := p.Text("retry_at"); at != "" {
			e.Reset, _ = continuation.ParseReset(at)
		}
		if continuation.CheckEvent(e) == nil {
			c.SetReport(e)
		}
	}
	return c
}

// unusable names the facts in an event that have a value of the wrong kind.
func unusable(p Payload, read continuation.Facts) (names []string) {
	for _, fact := range []struct {
		name string
		read bool
	}{
		{"tool_calls", p.Count("tool_calls") != nil},
		{"pending_tool_calls", read.PendingToolCalls != nil},
		{"background", read.Background != nil},
		{"queued_messages", read.QueuedMessages != nil},
		{"agent_mode", p.Get("agent_mode").Kind() == '"'},
		{"can_write", read.CanWrite != nil},
		{"context_ratio", read.ContextRatio != nil},
		{"spend_usd", read.SpendUSD != nil},
		{"spend_tokens", read.SpendTokens != nil},
		{"elapsed_ms", read.ElapsedMS != nil},
	} {
		if v := string(p.Get(fact.name)); !fact.read && v != "" && v != "null" {
			names = append(names, fact.name)
		}
	}
	return names
}

// genericLacksTodoTool returns what the caller reports.
func genericLacksTodoTool(c Call, _ func(string) string) bool { return c.NoTodoTool }

// flag returns true or false, or nil.
func flag(p Payload, name string) *bool {
	v := string(p.Get(name))
	if v != "true" && v != "false" {
		return nil
	}
	return new(v == "true")
}

// whole returns a whole number that is not negative, or nil.
func whole(p Payload, name string) *int64 {
	n := p.Number(name)
	if n == nil || *n < 0 || *n > 1<<53 {
		return nil
	}
	return new(int64(*n))
}

// RenderWhole answers in onward's own format: at a stop the whole decision, as check-continue prints it,
// otherwise the message, if there is one.
func RenderWhole(_ Call, a Answer) Reply {
	switch {
	case len(a.Decision) > 0:
		return Reply{Stdout: string(a.Decision)}
	case a.Refused != "":
		return Reply{Stdout: ObjectLine("", "action", "handled", "message", a.Refused)}
	case a.Context != "":
		return Reply{Stdout: ObjectLine("", "context", a.Context)}
	}
	return Reply{}
}
