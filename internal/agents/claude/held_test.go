package claude

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"onward/internal/agents/stream"
)

// TestAbandonedSessionsUseNoMemory reads more sessions than are reported one by one. The memory of the finished ones must be freed.
func TestAbandonedSessionsUseNoMemory(t *testing.T) {
	const run = `{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1","tools":["TodoWrite"]}
{"type":"assistant","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use","id":"t","name":"TodoWrite","input":{"todos":[{"content":"A","status":"pending"}]}}]}}
{"type":"user","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}
`
	var input strings.Builder
	for i := range 700 {
		input.WriteString(strings.ReplaceAll(run, `"s"`, fmt.Sprintf(`"s%d"`, i)))
	}
	var c *Parser
	adapter := formats[0]
	adapter.Source = Agent.Name
	adapter.New = func() stream.Parser { c = new(Parser); return c }
	r := stream.NewReader(strings.NewReader(input.String()), stream.Options{}, stream.Agents{Adapters: []stream.Adapter{adapter}})
	for {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if r.Summary().Earlier.Streams == 0 {
		t.Fatal("no session was left")
	}
	held := 0
	for _, s := range c.listed {
		held += s.held
	}
	if held == 0 || held != c.held {
		t.Errorf("%d bytes are kept, %d of them by sessions", c.held, held)
	}
}
