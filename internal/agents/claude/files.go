package claude

import (
	"strings"

	"onward/internal/agents/agent"
)

// Claude Code writes ~/.claude/todos/*.json, and ~/.claude/tasks/ID/ with one file a task.
var lists = agent.ListFiles{
	Claims: func(base string, array bool, has func(string) bool) bool {
		return has("subject") || array && (has("activeForm") || strings.Contains(base, "-agent-"))
	},
	Tasks: true, Numbered: true,
}
