package codex

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	continuation "onward/internal/continue"
	"onward/internal/native"
)

// maxTail is how much of the end of a thread's file is read for its last count of tokens. Other lines can be long.
const maxTail = 4 << 20

// Spend returns the total of tokens of a thread so far, from the file in which Codex keeps it: its stream tells them only at a
// turn's end. Any trouble with the file means that nothing is known.
func Spend(home, thread string) (total continuation.Usage, known bool) {
	if thread == "" || strings.ContainsAny(thread, `*?[\/`) {
		return total, false
	}
	found, _ := filepath.Glob(filepath.Join(home, "sessions", "*", "*", "*", "rollout-*-"+thread+".jsonl"))
	if len(found) == 0 {
		return total, false
	}
	f, err := os.Open(found[len(found)-1])
	if err != nil {
		return total, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return total, false
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-maxTail), maxTail))
	if err != nil {
		return total, false
	}
	return lastTotal(tail, thread)
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
				return continuation.Usage{Input: t.Input, Output: t.Output, Cached: t.Cached, Thread: native.ID(thread)}, true
			}
		}
	}
}
