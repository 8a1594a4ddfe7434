package hook

import (
	"cmp"
	"strings"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
)

// background counts what runs next to the conversation, and what will start by the clock; nil if the event does not report it.
// A teammate is listed as running as long as it exists, so whether it works is known by its own events alone.
func background(p Payload) *int {
	tasks, crons := p.Get("background_tasks"), p.Get("session_crons", "crons")
	if tasks == nil && crons == nil {
		return nil
	}
	n, team := len(crons.List()), false
	for _, t := range tasks.List() {
		task := t.Object()
		switch task.Text("status") {
		case "", "running", "pending":
			if strings.HasPrefix(task.Text("type"), "teammate") {
				team = true
			} else {
				n++
			}
		}
	}
	if team && n == 0 {
		return nil
	}
	return &n
}

// ReadSharedFormat reads an event in the format that most agents have adopted. Some have names of their own for events and members,
// and all of these are read, since no two agents mean different things by the same name.
func ReadSharedFormat(p Payload, event string) Call {
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
	if c.SubAgent != "" {
		c.Member = p.Text("teammate_name", "agent_type")
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
		c.SetReport(continuation.Event{Type: continuation.SessionEnd})
	case "userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt", "beforeagent":
		c.SetPrompt(p.Text("prompt", "user_prompt"), c.Key)
		if c.SubAgent != "" || strings.HasPrefix(c.Text, "<task-notification>") {
			c.SetAgentPrompt()
		}
	case "afteragentresponse", "afteragentthought":
		c.Kind, c.Activity = Report, continuation.AssistantMessage
	case "pretooluse", "beforetool", "beforeshellexecution", "beforemcpexecution":
		c.SetToolBegan()
	case "posttooluse", "aftertool":
		c.SetToolEnded(p.Text("tool_name"), p.Get("tool_input", "tool_args"), p.Get("tool_response", "tool_output", "tool_result"), false)
	case "posttoolusefailure":
		c.SetToolEnded(p.Text("tool_name"), p.Get("tool_input"), nil, true)
		if p.Flag("is_interrupt") {
			c.SetReport(continuation.Event{Type: continuation.Abort})
		}
	case "afterfileedit":
		c.Kind, c.Activity, c.Works = Report, continuation.ToolEnd, true
	case "subagentstart":
		if c.SubAgent != "" {
			c.SetReport(continuation.Event{Type: continuation.BackgroundStart, ID: native.ShortenID(c.SubAgent), Kind: "subagent"})
			c.SubAgent = ""
		}
	case "subagentstop":
		c.Kind = SubagentStop
		c.Transcript = cmp.Or(p.Text("agent_transcript_path"), c.Transcript)
	case "teammateidle": // follows a SubagentStop that let it stop
		if c.SubAgent != "" {
			c.Kind = SubagentStop
		}
	case "stop", "agentstop", "afteragent":
		c.Kind = Stop
	case "stopfailure":
		c.SetTurnFailed(p.Text("error", "error_type"), p.Text("error_details", "error_message", "message"), p.Text("last_assistant_message"))
	case "interrupt": // by the user
		c.SetReport(continuation.Event{Type: continuation.Abort})
	case "permissionrequest":
		c.Kind, c.Activity = Report, continuation.NeedsUser
	case "notification":
		switch strings.ToLower(p.Text("notification_type")) {
		case "permission_prompt", "worker_permission_prompt", "elicitation_dialog", "agent_needs_input", "toolpermission":
			c.Kind, c.Activity = Report, continuation.NeedsUser
		}
	case "precompact":
		c.SetReport(continuation.Event{Type: continuation.CompactionStart})
	case "postcompact":
		c.SetReport(continuation.Event{Type: continuation.CompactionEnd})
	}
	return c
}

// ReadNamed reads such an event, if it contains its name.
func ReadNamed(p Payload) Call { return ReadSharedFormat(p, p.Text("hook_event_name")) }

// errorClass classifies why a turn failed. For the words below, the host's class is enough; for any other one, the message
// may be more precise.
func errorClass(word, message string, texts stream.AllFailureTexts) continuation.ErrorClass {
	switch word {
	case "rate_limit", "rate_limited":
		return continuation.ErrorRateLimit
	case "authentication_failed", "oauth_org_not_allowed", "verification_required", "cloud_credential_error":
		return continuation.ErrorAuth
	case "billing_error", "account_on_hold":
		return continuation.ErrorBilling
	case "model_not_found":
		return continuation.ErrorInvalidRequest
	case "server_error", "overloaded":
		return continuation.ErrorServer
	case "max_output_tokens", "loop_detected":
		return continuation.ErrorUnknown
	}
	return texts.Class(stream.FailureOf(word, message, nil))
}
