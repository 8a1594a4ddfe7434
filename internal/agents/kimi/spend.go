package kimi

import (
	"github.com/go-json-experiment/json"

	"onward/internal/agents/agent"
	continuation "onward/internal/continue"
)

// spend are the files in which Kimi CLI keeps a session, one for each agent in it. Its stream tells no tokens.
var spend = agent.UsageFile{Folder: ".kimi-code", Paths: []string{"sessions/*/{id}/agents/*/wire.jsonl"}, Part: usageRecord, Mark: `"usage.record"`}

// usageRecord reads what one request has used.
func usageRecord(line []byte) (request string, used continuation.Usage, known bool) {
	var said struct {
		Type  string `json:"type"`
		Usage struct {
			Other   int `json:"inputOther"`
			Read    int `json:"inputCacheRead"`
			Created int `json:"inputCacheCreation"`
			Output  int `json:"output"`
		} `json:"usage"`
	}
	if json.Unmarshal(line, &said) != nil || said.Type != "usage.record" {
		return "", used, false
	}
	u := said.Usage
	return "", continuation.Usage{Input: u.Other + u.Read + u.Created, Cached: u.Read, Output: u.Output}, true
}
