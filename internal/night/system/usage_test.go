package system_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onward/internal/agents"
	continuation "onward/internal/continue"
	"onward/internal/night/system"
	"onward/test/streamtest"
)

// geminiChat has two messages of the model. Gemini CLI 0.61.0 writes a message again whenever something is added to it: here its tool call.
const geminiChat = `{"sessionId":"1f0c2a4e-9a51-4a0e-8a39-0b7d6f3c1a55","projectHash":"p","startTime":"2026-11-27T10:02:00.000Z","lastUpdated":"2026-11-27T10:02:00.000Z","kind":"main"}
{"id":"u1","timestamp":"2026-11-27T10:02:01.000Z","type":"user","content":"fix it"}
{"id":"m1","timestamp":"2026-11-27T10:02:02.000Z","type":"gemini","content":"I look.","thoughts":[]}
{"id":"m1","timestamp":"2026-11-27T10:02:02.000Z","type":"gemini","content":"I look.","thoughts":[],"tokens":{"input":1000,"output":20,"cached":0,"thoughts":5,"tool":0,"total":1025}}
{"id":"m1","timestamp":"2026-11-27T10:02:02.000Z","type":"gemini","content":"I look.","thoughts":[],"tokens":{"input":1000,"output":20,"cached":0,"thoughts":5,"tool":0,"total":1025},"toolCalls":[{"id":"c1","name":"read_file","args":{"path":"a"},"status":"success"}]}
{"$set":{"lastUpdated":"2026-11-27T10:02:03.000Z"}}
{"id":"m2","timestamp":"2026-11-27T10:02:04.000Z","type":"gemini","content":"Done.","thoughts":[],"tokens":{"input":1800,"output":40,"cached":800,"thoughts":0,"tool":0,"total":1840}}
`

// TestUsageOfSessions adds what the files of a session say that its requests have used.
func TestUsageOfSessions(t *testing.T) {
	for _, c := range []struct {
		agent, home, variable, session string
		files                          map[string]string // by their paths: a recording, or lines
		want                           continuation.Usage
	}{
		{"kimi", ".kimi-code", "", "session_1", map[string]string{
			"sessions/wd_p/session_1/agents/main/wire.jsonl":  "kimi/wire.jsonl",
			"sessions/wd_p/session_1/agents/agent/wire.jsonl": "kimi/wire.jsonl",
			"sessions/wd_p/session_2/agents/main/wire.jsonl":  "kimi/wire.jsonl",
		}, continuation.Usage{Input: 1200, Output: 120, Thread: "session_1"}},
		{"copilot", "", "COPILOT_HOME", "4caa53e3-fbba-4721-9c43-6e84099e30c0", map[string]string{
			"session-state/4caa53e3-fbba-4721-9c43-6e84099e30c0/events.jsonl": "copilot/events.jsonl",
		}, continuation.Usage{Input: 200, Output: 20, Thread: "4caa53e3-fbba-4721-9c43-6e84099e30c0"}},
		{"gemini", "", "GEMINI_CLI_HOME", "1f0c2a4e-9a51-4a0e-8a39-0b7d6f3c1a55", map[string]string{
			".gemini/tmp/p/chats/session-2026-11-27T10-02-1f0c2a4e.jsonl":           geminiChat,
			".gemini/tmp/p/chats/1f0c2a4e-9a51-4a0e-8a39-0b7d6f3c1a55/helper.jsonl": `{"id":"m1","type":"gemini","content":"","tokens":{"input":900,"output":10,"cached":0,"thoughts":0,"tool":0,"total":910}}` + "\n",
			".gemini/tmp/p/chats/session-2026-11-27T10-02-2f0c2a4e.jsonl":           geminiChat,
		}, continuation.Usage{Input: 3700, Output: 70, Cached: 800, Thread: "1f0c2a4e-9a51-4a0e-8a39-0b7d6f3c1a55"}},
		{"codex", "", "CODEX_HOME", "01a21fe5-509b-7fb3-aaaa-541523e02a09", map[string]string{
			"sessions/2026/11/28/rollout-2026-11-28T02-04-11-01a21fe5-509b-7fb3-aaaa-541523e02a09.jsonl": "codex/rollout-spawns.jsonl",
			"sessions/2026/11/28/rollout-2026-11-28T02-04-14-01a21fe5-5a75-77b3-a467-351447caa944.jsonl": "codex/rollout-subagent.jsonl",
			"sessions/2026/11/28/rollout-2026-11-28T02-05-00-01a1fbbe-48eb-7833-9fd4-876ca514d325.jsonl": "codex/rollout-ok-and-resume.jsonl",
			"sessions/2026/11/28/rollout-2026-11-28T02-06-00-empty.jsonl":                                "{",
		}, continuation.Usage{Input: 2300, Output: 230, Thread: "01a21fe5-509b-7fb3-aaaa-541523e02a09"}},
	} {
		t.Run(c.agent, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			t.Setenv("USERPROFILE", home)
			if c.variable != "" {
				t.Setenv(c.variable, home)
			}
			p, _ := agents.ProgramOf(c.agent)
			if _, known := system.UsageOf(p.Spend, c.session); known {
				t.Error("usage was read before the agent wrote a file")
			}
			for name, recording := range c.files {
				path := filepath.Join(home, c.home, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(recording, "{") {
					recording = streamtest.Recording(t, recording)
				}
				text := recording + `{"type":"usage.record","usage":{"output":` // a line that is half written
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, known := system.UsageOf(p.Spend, c.session); !known || got != c.want {
				t.Errorf("got %+v, %t, want %+v", got, known, c.want)
			}
			for _, id := range []string{"", "*", "../" + c.session} {
				if _, known := system.UsageOf(p.Spend, id); known {
					t.Errorf("%q was accepted as the id of a conversation", id)
				}
			}
		})
	}
}

// FuzzUsage reads what other versions of an agent may write into the files of its sessions. What is not understood counts for nothing.
func FuzzUsage(f *testing.F) {
	f.Add([]byte(`{"type":"usage.record","usage":{"inputOther":100,"output":10,"inputCacheRead":5,"inputCacheCreation":1}}`))
	f.Add([]byte(`{"type":"session.usage_record","data":{"usage":{"inputTokens":100,"outputTokens":10,"cacheReadTokens":5}}}`))
	f.Add([]byte(`{"id":"m1","type":"gemini","tokens":{"input":100,"output":10,"cached":5}}`))
	f.Add([]byte(`{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":100,"cached_input_tokens":5,"output_tokens":10}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, p := range agents.Programs() {
			if p.Spend == nil {
				continue
			}
			var used continuation.Usage
			known := false
			if p.Spend.Part != nil {
				_, used, known = p.Spend.Part(text)
			} else {
				used, known = p.Spend.Total(text, "s")
			}
			if !known && used != (continuation.Usage{}) {
				t.Errorf("%s: %+v of a file that is not understood", p.Name, used)
			}
		}
	})
}
