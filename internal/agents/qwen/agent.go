// Package qwen has what onward knows of Qwen Code.
package qwen

import "onward/internal/agents/agent"

// Agent is Qwen Code.
var Agent = agent.Agent{
	Name: "qwen", Title: "Qwen Code", Hook: &protocol, Settings: &row,
}
