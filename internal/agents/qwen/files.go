package qwen

import "onward/internal/agents/agent"

// Qwen Code writes ~/.qwen/todos/*.json.
var lists = agent.ListFiles{
	Claims: func(_ string, _ bool, has func(string) bool) bool { return has("todos") && has("sessionId") },
}
