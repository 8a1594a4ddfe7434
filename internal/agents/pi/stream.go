package pi

import (
	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
)

// The names of Pi and of what it writes.
const (
	Kind stream.Kind = "pi"

	Stream stream.Format = "pi"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`pi --mode json`; `~/.pi/agent/sessions/…/*.jsonl`", List: "`todo_write` of onward's extension, or `onward todo`",
		Lines: lines, ChangesNothing: idle, New: func() stream.Parser { return new(parser) },
	},
}

// program is how it is started. It asks nobody before it changes files.
var program = agent.Program{
	Command: []string{"pi", "--mode", "json"},
	Resume:  []string{"--session"},
	Costs:   true,
	Install: "npm install -g @earendil-works/pi-coding-agent",
}

// parser reads `pi --mode json`, and the file in which Pi keeps a session, which has the same messages.
//
// A turn is all that Pi does for a prompt, with its retries and with what an extension adds; agent_settled ends it,
// and in a file the next prompt does. How it ended is in the model's last message.
type parser struct{ stream.SequentialSessions }

var lines = []stream.LineType{
	{Name: "session", Marks: "version id cwd"},
	{Name: "session", Marks: "id cwd thinkingLevel"}, // of 2025, without a version
	{Name: "agent_start"},
	{Name: "agent_end"},
	{Name: "agent_settled", Marks: "aborted"},
	{Name: "turn_start"},
	{Name: "turn_end"},
	{Name: "message_start"},
	{Name: "message_update"},
	{Name: "message_end"},
	{Name: "tool_execution_start"},
	{Name: "tool_execution_update"},
	{Name: "tool_execution_end"},
	{Name: "queue_update"},
	{Name: "entry_appended"},
	{Name: "session_info_changed"},
	{Name: "thinking_level_changed"},
	{Name: "compaction_start"},
	{Name: "compaction_end"},
	{Name: "auto_retry_start"},
	{Name: "auto_retry_end"},
	{Name: "summarization_retry_scheduled"},
	{Name: "summarization_retry_attempt_start"},
	{Name: "summarization_retry_finished"},
	{Name: "bash_execution_update"},

	// Those of the file.
	{Name: "message"},
	{Name: "model_change"},
	{Name: "thinking_level_change"},
	{Name: "usage"},
	{Name: "compaction"},
	{Name: "context_edit"},
	{Name: "branch_summary"},
	{Name: "custom"},
	{Name: "custom_message"},
	{Name: "label"},
	{Name: "session_info"},
}

// idle recognises the pieces of a message that message_end has as a whole; most lines are such.
func idle(_ stream.Parser, l *stream.Line) bool {
	return l.Is("message_update") || l.Is("tool_execution_update")
}

func (p *parser) Read(l *stream.Line) error {
	switch string(l.Type) {
	case "session":
		if id := string(l.Word("id")); p.Session == nil || p.Session.ID != id {
			p.Stop()
			p.Session = p.Open(id)
		}
	case "agent_start":
		if s := p.KnownSession(); s.NewestTurn() == nil {
			s.BeginTurn(0)
		}
	case "message", "message_end":
		if l.Member("message").Kind() != '{' {
			return stream.ErrOtherAgent
		}
		p.message(l)
	case "custom_message": // an extension's, which the model answers
		p.KnownSession().SetLastStep(stream.LastOther)
	case "agent_settled":
		s := p.KnownSession()
		if l.IsTrue("aborted") {
			s.SetLastStep(stream.LastCancel)
		}
		s.EndPreviousTurns(0)
	default:
		p.KnownSession()
	}
	return nil
}

func (p *parser) message(l *stream.Line) {
	s, m := p.KnownSession(), l.Member("message")
	at := stream.ParseMillis(m.Word("timestamp"))
	switch string(m.Word("role")) {
	case "user":
		if l.Is("message") { // a file has no other sign of a beginning
			s.EndPreviousTurns(at)
			s.BeginTurn(at)
		}
	case "assistant":
		t := s.CurrentTurn(at)
		s.NoteModel(m.Word("model"))
		t.RecordMessage([]byte(m.Member("content").Texts()))
		used := m.Member("usage")
		u := used.Usage("output", "input", "cacheRead", "cacheWrite")
		u.Cached, u.Cost = stream.ParseCount(used.Word("cacheRead")), stream.ParseMicros(used.Word("cost", "total"))
		t.Usage.Add(u)
		for b := range l.Blocks("message", "content") {
			if b.Is("toolCall") {
				name := string(b.Word("name"))
				s.CountOrRecordCall(t, name, tools.Find(name), b.Word("id"), b.Member("arguments").Raw())
			}
		}
		switch string(m.Word("stopReason")) {
		case "toolUse":
			t.Last = stream.LastCalls
		case "error":
			t.Last, t.Failure = stream.LastFailure, stream.FailureOf("", string(m.Text("errorMessage")), nil)
		case "aborted":
			t.Last = stream.LastCancel
		default:
			t.Last = stream.LastAnswer
		}
	case "toolResult":
		s.SetLastStep(stream.LastOther)
		s.ApplyResult(m.Word("toolCallId"), m.IsTrue("isError"), m.Member("content"), at)
	case "custom":
		s.SetLastStep(stream.LastOther)
	default:
		s.CountUnknown(m.Word("role"), ignoredRoles, string(l.Type))
	}
}

// ignoredRoles are those of messages that are neither the user's nor the model's.
var ignoredRoles = []string{"bashExecution", "branchSummary", "compactionSummary", "hookMessage", "system"}
