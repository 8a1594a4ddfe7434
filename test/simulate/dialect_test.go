package simulate

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// happening is an event in an agent's program, before a dialect encodes it as the program's hook input.
type happening struct {
	what    string
	text    string // the text of a prompt
	by      string // the author of a prompt: user, onward, or the program itself
	message string // the agent's last message
	items   []todo.Item
	class   continuation.ErrorClass
	sub     string // the sub-agent, if it is an event of one
}

// dialect encodes events as the hooks of one agent's program do; tell returns nil for events that those hooks do not report.
type dialect struct {
	tell   func(h *hooks, g *agent, e happening) object
	marker string // the environment variable that identifies the agent in the shells that it starts
	wakes  bool   // it can schedule a prompt for itself
	stops  bool   // its stop hook also runs after a failure and an interrupt
	once   bool   // its hooks are a plugin, which runs each hook once and has no file of the conversation
	ahead  bool   // it asks before its countdown and not after it
	echoes bool   // it always reports onward's prompt as a prompt of the user
}

// dialects are the agents whose hooks are simulated. Their events have the form of those in testdata/hooks.
var dialects = map[string]dialect{
	"claude":   {tell: tellClaude, marker: "CLAUDECODE", wakes: true},
	"codex":    {tell: tellCodex, marker: "CODEX_THREAD_ID"},
	"gemini":   {tell: tellGemini, marker: "GEMINI_CLI", echoes: true},
	"qwen":     {tell: tellQwen, marker: "QWEN_CODE", echoes: true},
	"opencode": {tell: tellOpencode, marker: "OPENCODE", stops: true, once: true, ahead: true, echoes: true},
}

// bash is the tool event of the agents' work other than writing their lists.
func bash(with object) object {
	with["tool_name"], with["tool_input"] = "Bash", object{"command": "make"}
	return with
}

// asList returns a list in the form of an agent's own tool; text is that tool's member for the text of an item.
func asList(items []todo.Item, text string) []object {
	list := []object{}
	for _, it := range items {
		list = append(list, object{text: it.Content, "status": it.Status})
	}
	return list
}

func tellClaude(h *hooks, _ *agent, e happening) object {
	key := h.key
	if e.by == "onward" {
		key += "'"
	}
	with := func(event string, members object) object {
		members["hook_event_name"], members["prompt_id"] = event, key
		if e.sub != "" {
			members["agent_id"] = e.sub
		}
		return members
	}
	switch e.what {
	case "begins":
		return with("SessionStart", object{"source": e.text})
	case "prompt":
		return with("UserPromptSubmit", object{"prompt": e.text, "source": map[string]any{"user": "user", "program": "schedule"}[e.by]})
	case "tool":
		return with("PreToolUse", bash(object{}))
	case "tool's end":
		return with("PostToolUse", bash(object{"tool_response": object{"stdout": ""}}))
	case "list":
		todos := asList(e.items, "content")
		return with("PostToolUse", object{"tool_name": "TodoWrite", "tool_input": object{"todos": todos}, "tool_response": object{"newTodos": todos}})
	case "stop":
		return with("Stop", object{"last_assistant_message": e.message, "stop_hook_active": h.again})
	case "sub-agent begins":
		return with("SubagentStart", object{"agent_type": "Explore"})
	case "sub-agent's stop":
		return with("SubagentStop", object{"last_assistant_message": e.message})
	case "failure":
		return with("StopFailure", object{"error": h.words(e.class)})
	case "interrupt":
		return with("PostToolUseFailure", object{"tool_name": "Bash", "is_interrupt": true})
	}
	return nil
}

// tellCodex encodes the events of Codex, which reports no failure and has three statuses.
func tellCodex(h *hooks, g *agent, e happening) object {
	switch e.what {
	case "list":
		plan := asList(e.items, "step")
		for _, step := range plan {
			if step["status"] == todo.Cancelled {
				step["status"] = todo.Completed
			}
		}
		return h.named("PostToolUse", object{"turn_id": h.key, "tool_name": "update_plan", "tool_input": object{"plan": plan}, "tool_response": "Plan updated"})
	case "interrupt":
		return h.named("Interrupt", object{"turn_id": h.key})
	case "failure":
		return nil
	}
	told := tellClaude(h, g, e)
	told["turn_id"] = h.key
	delete(told, "prompt_id")
	return told
}

// tellGemini encodes the events of Gemini CLI, which reports no failure and no interrupt. Its stop event has all answers
// since the user's prompt.
func tellGemini(h *hooks, _ *agent, e happening) object {
	switch e.what {
	case "begins":
		return h.named("SessionStart", object{"source": e.text})
	case "prompt":
		if e.by == "user" {
			h.answer = ""
		}
		return h.named("BeforeAgent", object{"prompt": e.text})
	case "tool":
		return h.named("BeforeTool", bash(object{}))
	case "tool's end":
		return h.named("AfterTool", bash(object{"tool_response": object{"llmContent": ""}}))
	case "list":
		return h.named("AfterTool", object{
			"tool_name": "write_todos", "tool_input": object{"todos": asList(e.items, "description")},
			"tool_response": object{"llmContent": "Successfully updated the todo list.", "returnDisplay": object{"todos": asList(e.items, "description")}},
		})
	case "stop":
		h.answer += "\n" + e.message
		return h.named("AfterAgent", object{"prompt_response": h.answer, "stop_hook_active": h.again})
	}
	return nil
}

// tellQwen encodes the events of Qwen Code, which reports no interrupt and repeats the id of the prompt.
func tellQwen(h *hooks, g *agent, e happening) object {
	switch e.what {
	case "prompt":
		told := object{"prompt": e.text, "prompt_id": h.key}
		if e.by == "user" {
			told["submitted_prompt"] = e.text
		}
		return h.named("UserPromptSubmit", told)
	case "list":
		return h.named("PostToolUse", object{
			"prompt_id": h.key, "tool_name": "todo_write", "tool_input": object{"todos": asList(e.items, "content")},
			"tool_response": object{"llmContent": "Todos have been modified successfully."},
		})
	case "interrupt":
		return nil
	}
	told := tellClaude(h, g, e)
	told["prompt_id"] = h.key
	return told
}

// tellOpencode encodes the events that onward's plugin for opencode sends. After a failure or an interrupt, it also
// sends the end of the turn.
func tellOpencode(h *hooks, g *agent, e happening) object {
	with := func(event string, members object) object {
		members["type"], members["sessionID"], members["agent"], members["directory"] = event, g.id, "build", g.place.Dir
		return members
	}
	properties := func(members object) object {
		members["sessionID"] = g.id
		return object{"properties": members}
	}
	switch e.what {
	case "begins":
		return with("session.started", object{})
	case "prompt":
		return with("chat.message", object{"messageID": g.text("msg"), "prompt": e.text, "synthetic": e.by == "program"})
	case "tool's end":
		return with("tool.execute.after", object{"tool": "bash"})
	case "list":
		return with("todo.updated", properties(object{"todos": asList(e.items, "content")}))
	case "ahead":
		return with("session.countdown", object{"last_assistant_message": e.message})
	case "stop":
		return with("session.idle", object{"last_assistant_message": e.message})
	case "failure":
		failure := map[continuation.ErrorClass]object{
			continuation.ErrorRateLimit: {"name": "APIError", "data": object{"message": "too many requests", "statusCode": 429}},
			continuation.ErrorContext:   {"name": "APIError", "data": object{"message": "prompt is too long", "statusCode": 400}},
			continuation.ErrorAuth:      {"name": "ProviderAuthError", "data": object{"message": "no key"}},
			continuation.ErrorServer:    {"name": "APIError", "data": object{"message": "bad gateway", "statusCode": 502}},
		}[e.class]
		return with("session.error", properties(object{"error": failure}))
	case "interrupt":
		return with("message.updated", properties(object{"info": object{"role": "assistant", "error": object{"name": "MessageAbortedError"}}}))
	}
	return nil
}

// named returns an event with its name in a member.
func (h *hooks) named(event string, members object) object {
	members["hook_event_name"] = event
	return members
}

// words returns the name that Claude Code and Qwen Code have for the reason of a failed turn.
func (h *hooks) words(class continuation.ErrorClass) string {
	return map[continuation.ErrorClass]string{
		continuation.ErrorRateLimit: "rate_limit", continuation.ErrorContext: "prompt is too long",
		continuation.ErrorAuth: "authentication_failed", continuation.ErrorServer: "server_error",
	}[class]
}

// agentNames returns the agents whose hooks are simulated; a dull world has the first one.
func agentNames() []string {
	names := []string{"claude"}
	for name := range dialects {
		if name != "claude" {
			names = append(names, name)
		}
	}
	slices.Sort(names[1:])
	return names
}
