package qwen

import "onward/internal/agents/files"

// Qwen Code writes ~/.qwen/todos/*.json.
var lists = files.Form{
	Claims: func(_ string, _ bool, has func(string) bool) bool { return has("todos") && has("sessionId") },
}
