package claude

import (
	"strings"
	"testing"

	"onward/internal/agents/hook"
)

// FuzzTeam reads random bytes as the file of a conversation and as that of its team.
func FuzzTeam(f *testing.F) {
	f.Add([]byte(`{"teamName":"t","agentName":"reader"}`), []byte(`{"name":"t","leadSessionId":"s1","members":[{"name":"reader","tmuxPaneId":"%1","joinedAt":1}]}`), "PostToolUse")
	f.Add([]byte(`{"teamName":"../t"}`), []byte(`{"leadSessionId":"s1","members":[{"name":"reader","tmuxPaneId":"%1","cwd":"/p","joinedAt":1},{"joinedAt":"x"},1]}`), "SessionStart")
	f.Add([]byte(`"teamName":"`), []byte("{"), "Stop")
	f.Fuzz(func(t *testing.T, conversation, team []byte, event string) {
		around := hook.EventContext{
			Env: func(string) string { return "%1" },
			Head: func(path string) []byte {
				if strings.HasSuffix(path, ".jsonl") {
					return conversation
				}
				return team
			},
			Glob: func(string) []string { return []string{"config.json"} },
		}
		p := hook.Payload{text("hook_event_name", event), text("session_id", "m1"), text("transcript_path", "/home/.claude/projects/p/m1.jsonl"), text("cwd", "/p")}
		if c, ok := led(p, around); ok && (c.Session == "" || c.Session == "m1") {
			t.Errorf("a member's event is of the conversation %q", c.Session)
		}
	})
}
