package hook

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/agent"
	continuation "onward/internal/continue"
	"onward/internal/native"
)

// background counts what runs beside the conversation, or will by the clock; nil if the event does not report it.
// The end of a task may not be reported, and teammates have been seen to stay forever.
func background(p payload) *int {
	tasks, crons := p.Get("background_tasks"), p.Get("session_crons", "crons")
	if tasks == nil && crons == nil {
		return nil
	}
	n := len(crons.List())
	for _, t := range tasks.List() {
		task := t.Object()
		switch task.Text("status") {
		case "", "running", "pending":
			if !strings.HasPrefix(task.Text("type"), "teammate") {
				n++
			}
		}
	}
	return &n
}

// claudeTodoToolOff knows the models that still have the todo tools, and the switch that brings them back.
func claudeTodoToolOff(c Call, env func(string) string) bool {
	if agent.ClaudeTodoToolOn(env) {
		return false
	}
	models := []string{"claude-3", "-4-0", "-4-1", "-4-2025", "-4-5", "-4-6", "-4-7"}
	return !slices.ContainsFunc(models, func(with string) bool { return strings.Contains(c.Model, with) })
}

// likeClaude reads an event in the format of Claude Code. Others have adopted it,
// with names of their own for events and members; no two mean different things by the same one.
func likeClaude(p payload, event string) Call {
	c := Call{
		Event:      event,
		Session:    p.Text("session_id"),
		SubAgent:   p.Text("agent_id", "subagent_id"),
		Dir:        p.Text("cwd"),
		Transcript: p.Text("transcript_path"),
		Model:      p.Text("model"),
		Message:    p.Text("last_assistant_message"),
		Key:        cmp.Or(p.Text("prompt_id"), p.Text("turn_id"), p.Text("generation_id")),
		At:         p.Text("timestamp"),
		Facts:      continuation.Facts{AgentMode: p.Text("permission_mode", "composer_mode"), Background: background(p)},
	}
	if ms := p.Count("duration_ms"); ms != nil {
		c.took = *ms
	}
	if p.Flag("stop_hook_active") {
		c.Again = "again"
	}
	switch strings.ToLower(event) {
	case "sessionstart":
		c.Kind = Start
		if p.Text("source") == "compact" {
			c.Events = []continuation.Event{{Type: continuation.CompactionEnd}}
		}
	case "sessionend":
		c.report(continuation.Event{Type: continuation.SessionEnd})
	case "userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt", "beforeagent":
		c.prompt(p.Text("prompt", "user_prompt"), c.Key)
		if c.SubAgent != "" || strings.HasPrefix(c.Text, "<task-notification>") {
			c.unspoken()
		}
	case "afteragentresponse", "afteragentthought":
		c.Kind, c.Activity = Report, continuation.AssistantMessage
	case "pretooluse", "beforetool", "beforeshellexecution", "beforemcpexecution":
		c.began()
	case "posttooluse", "aftertool":
		c.ended(p.Text("tool_name"), p.Get("tool_input", "tool_args"), p.Get("tool_response", "tool_output", "tool_result"), false)
	case "posttoolusefailure":
		c.ended(p.Text("tool_name"), p.Get("tool_input"), nil, true)
		if p.Flag("is_interrupt") {
			c.report(continuation.Event{Type: continuation.Abort})
		}
	case "afterfileedit":
		c.Kind, c.Activity, c.Works = Report, continuation.ToolEnd, true
	case "subagentstart":
		if c.SubAgent != "" {
			c.report(continuation.Event{Type: continuation.BackgroundStart, ID: native.ID(c.SubAgent), Kind: "subagent"})
			c.SubAgent = ""
		}
	case "subagentstop":
		c.Kind = SubagentStop
		c.Transcript = cmp.Or(p.Text("agent_transcript_path"), c.Transcript)
	case "stop", "agentstop", "afteragent":
		c.Kind = Stop
	case "stopfailure":
		c.failed(p.Text("error", "error_type"), p.Text("error_details", "error_message", "message"), p.Text("last_assistant_message"))
	case "interrupt": // of Codex, by the user
		c.report(continuation.Event{Type: continuation.Abort})
	case "precompact":
		c.report(continuation.Event{Type: continuation.CompactionStart})
	case "postcompact":
		c.report(continuation.Event{Type: continuation.CompactionEnd})
	}
	return c
}

// readNamed reads an event that contains its name.
func readNamed(p payload) Call { return likeClaude(p, p.Text("hook_event_name")) }

// readClaude reads an event of Claude Code, which prompts its model by itself too: by the clock, after background
// work, and in loops. It names who speaks; without a name, as in older versions, that is the user.
func readClaude(p payload) Call {
	c := readNamed(p)
	if c.Kind == Prompt {
		switch p.Text("source") {
		case "", "user", "sdk":
		default:
			c.unspoken()
		}
	}
	return c
}

// errorClass sorts why a turn failed. The hosts have few classes; the message may be more precise.
func errorClass(word, message string) continuation.ErrorClass {
	switch word {
	case "rate_limit", "rate_limited", "overloaded":
		return continuation.ErrorRateLimit
	case "authentication_failed", "oauth_org_not_allowed", "verification_required", "cloud_credential_error":
		return continuation.ErrorAuth
	case "billing_error", "account_on_hold":
		return continuation.ErrorBilling
	case "model_not_found":
		return continuation.ErrorInvalidRequest
	case "server_error":
		return continuation.ErrorServer
	case "max_output_tokens", "loop_detected":
		return continuation.ErrorUnknown
	}
	return agent.ErrorClassOf(word, message)
}
