package ask

import (
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
