package gemini

import "onward/internal/agents/agent"

// Gemini CLI's task tracker has a folder with one file a task.
var lists = agent.ListFiles{
	Claims: func(_ string, _ bool, has func(string) bool) bool {
		return has("title") && (has("dependencies") || has("parentId"))
	},
	Tasks: true, Statuses: "open, in_progress, blocked, closed", Parents: true,
}
