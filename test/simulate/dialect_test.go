package simulate

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// happening is what happens in an agent's program, before it is told in the program's own words.
type happening struct {
	what    string
	text    string // of a prompt
	by      string // who prompts: user, onward, or the program itself
	message string // the agent's last one
	items   []todo.Item
	class   continuation.ErrorClass
	sub     string // the sub-agent to which it happens
}

// dialect tells what happens as one agent's program does. Nil: its hooks do not tell that.
type dialect struct {
	tell   func(h *hooks, g *agent, e happening) object
	marker string // the variable in the shells that the agent starts
	wakes  bool   // it can wake itself up
	stops  bool   // its stop hook runs after a failure and an interrupt too
	once   bool   // its plugin is there once, and keeps no file of the conversation
	ahead  bool   // it asks before a countdown
	echoes bool   // it always reports onward's prompt, as one of the user's
}

// dialects are the agents whose hooks take part, in the forms that testdata/hooks has.
var dialects = map[string]dialect{
	"claude":   {tell: tellClaude, marker: "CLAUDECODE", wakes: true},
	"codex":    {tell: tellCodex, marker: "CODEX_THREAD_ID"},
	"gemini":   {tell: tellGemini, marker: "GEMINI_CLI", echoes: true},
	"qwen":     {tell: tellQwen, marker: "QWEN_CODE", echoes: true},
	"opencode": {tell: tellOpencode, marker: "OPENCODE", stops: true, once: true, ahead: true, echoes: true},
}

// bash is what the agents do beside keeping their lists.
func bash(with object) object {
	with["tool_name"], with["tool_input"] = "Bash", object{"command": "make"}
	return with
}

// asList returns a list as an agent's own tool has it, with its name for the text of an item.
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

// tellCodex says nothing of a failure, and knows three statuses.
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

// tellGemini says nothing of failures and interrupts, and repeats all that was answered since the user's prompt.
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

// tellQwen says nothing of interrupts, and keeps the id of the prompt.
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

// tellOpencode is what onward's plugin passes on. A failure and an interrupt are followed by the end of the turn.
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

// named is an event that has its name in a member.
func (h *hooks) named(event string, members object) object {
	members["hook_event_name"] = event
	return members
}

// words are those of Claude Code and Qwen Code for why a turn failed.
func (h *hooks) words(class continuation.ErrorClass) string {
	return map[continuation.ErrorClass]string{
		continuation.ErrorRateLimit: "rate_limit", continuation.ErrorContext: "prompt is too long",
		continuation.ErrorAuth: "authentication_failed", continuation.ErrorServer: "server_error",
	}[class]
}

// agentNames returns the agents whose hooks take part; the first is what a dull world has.
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
