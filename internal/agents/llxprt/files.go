package llxprt

import (
	"strings"

	"onward/internal/agents/agent"
)

// LLxprt Code writes todo-*.json.
var lists = agent.ListFiles{
	Claims: func(base string, array bool, has func(string) bool) bool {
		return has("todos") && has("paused") || strings.HasPrefix(base, "todo-") && (array || has("todos"))
	},
}
