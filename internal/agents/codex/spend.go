package codex

import (
	"bytes"

	"github.com/go-json-experiment/json"

	"onward/internal/agents/agent"
	continuation "onward/internal/continue"
	"onward/internal/native"
)

// spend are the file in which Codex keeps a thread, and those of its sub-agents. Its stream tells the tokens of the thread alone, and only
// at a turn's end.
var spend = agent.UsageFile{
	Variable: "CODEX_HOME", Folder: ".codex", Paths: []string{"sessions/*/*/*/rollout-*-{id}.jsonl"},
	Later: "sessions/*/*/*/rollout-*.jsonl", Within: isBelow, Total: lastTotal,
}

// isBelow reports whether a file is that of a sub-agent of a thread, or of a sub-agent's own: its first line begins with the thread from
// which all of them come, its own id, and the thread that started it.
func isBelow(head []byte, thread string) bool {
	return bytes.Contains(head, []byte(`"session_id":"`+thread+`"`)) && bytes.Contains(head, []byte(`"parent_thread_id":"`))
}

// lastTotal finds the last count of tokens in the end of a file. Its last line may not be complete.
func lastTotal(tail []byte, thread string) (total continuation.Usage, known bool) {
	for at := len(tail); ; {
		if at = bytes.LastIndex(tail[:at], []byte(`"token_count"`)); at < 0 {
			return total, false
		}
		line := tail[bytes.LastIndexByte(tail[:at], '\n')+1:]
		line, _, _ = bytes.Cut(line, []byte("\n"))
		var said struct {
			Type    string `json:"type"`
			Payload struct {
				Type string `json:"type"`
				Info struct {
					Total struct {
						Input  int `json:"input_tokens"`
						Cached int `json:"cached_input_tokens"`
						Output int `json:"output_tokens"`
					} `json:"total_token_usage"`
				} `json:"info"`
			} `json:"payload"`
		}
		if json.Unmarshal(line, &said) == nil && said.Type == "event_msg" && said.Payload.Type == "token_count" {
			if t := said.Payload.Info.Total; t.Input > 0 || t.Output > 0 {
				return continuation.Usage{Input: t.Input, Output: t.Output, Cached: t.Cached, Thread: native.ShortenID(thread)}, true
			}
		}
	}
}
