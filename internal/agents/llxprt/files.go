package llxprt

import (
	"strings"

	"onward/internal/agents/files"
)

// LLxprt Code writes todo-*.json.
var lists = files.Form{
	Claims: func(base string, array bool, has func(string) bool) bool {
		return has("todos") && has("paused") || strings.HasPrefix(base, "todo-") && (array || has("todos"))
	},
}
