package gemini

import (
	"github.com/go-json-experiment/json"

	"onward/internal/agents/agent"
	continuation "onward/internal/continue"
)

// spend are the files in which Gemini CLI keeps a conversation, and those of its sub-agents. Its stream tells the tokens only at a
// turn's end, with those of requests that are no part of the conversation.
var spend = agent.UsageFile{
	Variable: "GEMINI_CLI_HOME", Paths: []string{".gemini/tmp/*/chats/session-*-{id8}.jsonl", ".gemini/tmp/*/chats/{id}/*.jsonl"},
	Part: messageTokens, Mark: `"tokens"`, InTurn: true,
}

// messageTokens reads what the request for one message has used. The message is written again whenever something is added to it.
func messageTokens(line []byte) (message string, used continuation.Usage, known bool) {
	var said struct {
		ID     string `json:"id"`
		Type   string `json:"type"`
		Tokens *struct {
			Input  int `json:"input"`
			Output int `json:"output"`
			Cached int `json:"cached"`
		} `json:"tokens"`
	}
	if json.Unmarshal(line, &said) != nil || said.Type != "gemini" || said.ID == "" || said.Tokens == nil {
		return "", used, false
	}
	t := said.Tokens
	return said.ID, continuation.Usage{Input: t.Input, Output: t.Output, Cached: t.Cached}, true
}
