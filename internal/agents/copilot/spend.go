package copilot

import (
	"github.com/go-json-experiment/json"

	"onward/internal/agents/agent"
	continuation "onward/internal/continue"
)

// spend is the file in which Copilot CLI keeps the events of a session. Its stream tells no tokens.
var spend = agent.UsageFile{Variable: "COPILOT_HOME", Folder: ".copilot", Paths: []string{"session-state/{id}/events.jsonl"}, Part: usageRecord, Mark: `"session.usage_record"`}

// usageRecord reads what one request has used.
func usageRecord(line []byte) (request string, used continuation.Usage, known bool) {
	var said struct {
		Type string `json:"type"`
		Data struct {
			Usage struct {
				Input  int `json:"inputTokens"`
				Output int `json:"outputTokens"`
				Cached int `json:"cacheReadTokens"`
			} `json:"usage"`
		} `json:"data"`
	}
	if json.Unmarshal(line, &said) != nil || said.Type != "session.usage_record" {
		return "", used, false
	}
	u := said.Data.Usage
	return "", continuation.Usage{Input: u.Input, Cached: u.Cached, Output: u.Output}, true
}
