package ask

import (
	"fmt"
	"strings"
	"testing"

	"onward/internal/agents/hook"
	"onward/internal/session"
)

func TestConversationOfATurn(t *testing.T) {
	const said = `{"role":"assistant","content":"done"}` + "\n"
	const noted = `{"type":"note"}` + "\n"
	behind := &session.Document{}
	behind.Continuation.Background = []session.BackgroundTask{{ID: "1"}}
	for _, c := range []struct {
		name    string
		kind    hook.Kind
		message string // that the event has
		doc     *session.Document
		tail    string
		want    string
		length  int64
		ends    bool
	}{
		{"the last message", hook.Stop, "", &session.Document{}, said, "done", 100 + int64(len(said)) - 1, false},
		{"a note of the host after it", hook.Stop, "", &session.Document{}, said + noted, "done", 100 + int64(len(said)) - 1, false},
		{"the event has the message", hook.Stop, "finished", &session.Document{}, said, "finished", 100 + int64(len(said)) - 1, false},
		{"nobody speaks", hook.Stop, "", &session.Document{}, noted, "", 100 + int64(len(noted)), false},
		{"background work ends with the program", hook.Stop, "", behind, said, "done", 100 + int64(len(said)) - 1, true},
		{"but not with a sub-agent", hook.SubagentStop, "", behind, said, "done", 100 + int64(len(said)) - 1, false},
	} {
		turn := Turn{Call: hook.Call{Kind: c.kind, Message: c.message}, Agent: &hook.Protocol{Exits: func([]byte) bool { return true }}}
		turn.ReadConversation(c.doc, 100, []byte(c.tail), func() []byte { return nil })
		if turn.Call.Message != c.want || turn.Length != c.length || turn.Ends != c.ends {
			t.Errorf("%s: got %q, %d bytes, ends %v", c.name, turn.Call.Message, turn.Length, turn.Ends)
		}
	}
}

// TestRepeatedCall finds the call with which the last turn of a conversation's file ended, again and again.
func TestRepeatedCall(t *testing.T) {
	const prompt = `{"type":"user","message":{"role":"user","content":"go"},"uuid":"u","timestamp":"2026-11-21T09:00:00.000Z","sessionId":"c","isSidechain":false}` + "\n"
	calls := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf(`{"type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"cat a"}}],"stop_reason":"tool_use"},"uuid":"a%d","timestamp":"2026-11-21T09:01:%02d.100Z","sessionId":"c","isSidechain":false}
{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t%d","type":"tool_result","content":"x"}]},"uuid":"r%d","timestamp":"2026-11-21T09:01:%02d.200Z","sessionId":"c","isSidechain":false}
`, i, i, i, i, i, i, i)
		}
		return text
	}
	spaced := strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace
	const says = `{"type":"assistant","message":{"id":"z","role":"assistant","content":[{"type":"text","text":"I stop."}],"stop_reason":"end_turn"},"uuid":"z","timestamp":"2026-11-21T09:02:00.000Z","sessionId":"c","isSidechain":false}` + "\n"
	for _, c := range []struct {
		name, tail string
		want       int
	}{
		{"a turn that is open", prompt + calls(25), 25},
		{"a turn that has ended", prompt + calls(25) + says, 25},
		{"with spaces between the members", spaced(prompt + calls(25) + says), 25},
		{"too few", prompt + calls(19) + says, 0},
		{"only the end of the turn", calls(21), 21},
		{"another turn after it", prompt + calls(25) + says + strings.NewReplacer(`"u"`, `"v"`, `"z"`, `"y"`).Replace(prompt+says), 0},
		{"nothing", "", 0},
	} {
		got := 0
		if l := repeatedCall([]byte(c.tail)); l != nil {
			if got = l.Count; l.Since.IsZero() {
				t.Errorf("%s: it is not known since when", c.name)
			}
		}
		if got != c.want {
			t.Errorf("%s: %d calls, want %d", c.name, got, c.want)
		}
	}
}

// TestRepeatedCallOfEachAgent finds a loop in the files of other agents, also where only the end of one is read. Each result has something
// that is another one each time.
func TestRepeatedCallOfEachAgent(t *testing.T) {
	for agent, call := range map[string]string{
		"qwen": `{"uuid":"a%[1]d","parentUuid":"p","sessionId":"c","timestamp":"2026-11-21T09:01:%02[1]d.100Z","type":"assistant","provenance":"assistant_output","message":{"role":"model","parts":[{"functionCall":{"id":"t%[1]d","name":"run_shell_command","args":{"command":"cat a"}}}]}}
{"uuid":"r%[1]d","parentUuid":"p","sessionId":"c","timestamp":"2026-11-21T09:%[2]s.200Z","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"t%[1]d","name":"run_shell_command","response":{"output":"Output: x\nProcess Group PGID: 1%[1]d"}}}]},"toolCallResult":{"callId":"t%[1]d","status":"success"}}
`,
		"gemini": `{"id":"m%[1]d","timestamp":"2026-11-21T09:01:%02[1]d.000Z","type":"gemini","content":"","toolCalls":[{"id":"t%[1]d","name":"run_shell_command","args":{"command":"cat a"},"status":"executing"}]}
{"id":"m%[1]d","timestamp":"2026-11-21T09:01:%02[1]d.000Z","type":"gemini","content":"","toolCalls":[{"id":"t%[1]d","name":"run_shell_command","args":{"command":"cat a"},"status":"success","timestamp":"2026-11-21T09:%[2]s.500Z","result":[{"functionResponse":{"id":"t%[1]d","response":{"output":"Output: x\nProcess Group PGID: 1%[1]d"}}}]}]}
{"id":"m%[1]d","timestamp":"2026-11-21T09:01:%02[1]d.000Z","type":"gemini","content":"","toolCalls":[{"id":"t%[1]d","name":"run_shell_command","args":{"command":"cat a"},"status":"success","timestamp":"2026-11-21T09:%[2]s.500Z","result":[{"functionResponse":{"id":"t%[1]d","response":{"output":"Output: x\nProcess Group PGID: 1%[1]d"}}}]}],"tokens":{}}
`,
		"copilot": `{"type":"tool.execution_start","data":{"toolCallId":"t%[1]d","toolName":"bash","arguments":{"command":"cat a","description":"look, time %[1]d"}},"id":"a%[1]d","timestamp":"2026-11-21T09:01:%02[1]d.100Z","parentId":"p"}
{"type":"tool.execution_complete","data":{"toolCallId":"t%[1]d","success":true,"result":{"content":"x\n<shellId: %[1]d completed with exit code 0>"},"shellExecution":{"exitCode":0}},"id":"r%[1]d","timestamp":"2026-11-21T09:%[2]s.200Z","parentId":"p"}
`,
	} {
		for seconds, want := range map[int]int{0: 25, 6: 0} { // a call that takes its time is none of a loop
			var tail strings.Builder
			for i := range 25 {
				fmt.Fprintf(&tail, call, i, fmt.Sprintf("01:%02d", i+seconds))
			}
			got := 0
			if l := repeatedCall([]byte(tail.String())); l != nil && l.Call == "cat a" {
				got = l.Count
			}
			if got != want {
				t.Errorf("%s, calls of %d s: %d, want %d", agent, seconds, got, want)
			}
		}
	}
}
