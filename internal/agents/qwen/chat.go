package qwen

import (
	"bytes"
	"strings"

	"onward/internal/agents/stream"
	"onward/internal/todo"
)

// chat reads the files in which Qwen Code keeps its conversations, ~/.qwen/projects/…/chats/*.jsonl.
//
// The envelope of a line is that of claude.Transcript; its messages have parts.
// A call has its result in a line of the type tool_result. No line ends a turn:
// a turn is what follows a user's message, and how it ended is seen from its last message.
type chat struct{ stream.SequentialSessions }

var chatLines = []stream.LineType{
	{Name: "user"},
	{Name: "assistant"},
	{Name: "tool_result", Marks: "sessionId toolCallResult"},
	{Name: "system", Marks: "sessionId systemPayload"},
}

// ignoredRecords are subtypes of records of the type system; none of them changes the list.
var ignoredRecords = []string{
	"agent_bootstrap", "agent_launch_prompt", "agent_retry", "agent_session_ready", "at_command", "attribution_snapshot",
	"background_task_completed", "branch_checkpoint", "chat_compression", "cron", "custom_title", "file_history_snapshot",
	"goal_runtime", "goal_state", "goal_turn_end", "managed_session_commit_v1", "managed_session_event_v1",
	"managed_session_header_v1", "mid_turn_user_message", "notification", "omni_recall", "parent_session",
	"realtime_message", "rewind", "session_approval_mode", "session_artifact_event", "session_artifact_snapshot",
	"session_execution_engine", "session_model", "session_notes", "session_source", "session_sources_snapshot",
	"slash_command", "turn_result", "ui_telemetry", "user_text_elements",
}

// detectChat distinguishes messages from those of claude.Transcript by their parts.
func detectChat(l *stream.Line) bool {
	return (l.Is("user") || l.Is("assistant")) && l.Has("sessionId", "uuid") && l.Member("message", "parts") != nil
}

func (c *chat) Read(l *stream.Line) error {
	id, side := string(l.Word("sessionId")), l.IsTrue("isSidechain")
	if id == "" || l.Member("message", "content") != nil { // which claude.Transcript has instead of parts
		return stream.ErrOtherAgent
	}
	if c.Session == nil || id != c.Session.ID {
		c.Stop()
		c.Session = c.Open(id)
	}
	at := stream.ParseInstant(l.Word("timestamp"))
	switch string(l.Type) {
	case "user":
		by := string(l.Word("provenance")) // in newer versions
		if l.Member("message", "parts") != nil && (by == "" || by == "real_user") && !side {
			c.Session.Stop()
			c.Session.BeginTurn(at)
		}
	case "assistant":
		c.assistant(l, side, at)
	case "tool_result":
		c.result(l, side, at)
	case "system":
		c.Session.CountUnknown(l.Word("subtype"), ignoredRecords, "system")
	}
	return nil
}

func (c *chat) assistant(l *stream.Line, side bool, at todo.Time) {
	t, sub := c.Session.CurrentTurn(at), ""
	if side {
		sub = stream.SubAgentName(string(l.Word("agentId")))
	} else {
		t.Last = stream.LastOther
		t.Text.Reset()
	}
	for p := range l.Objects("message", "parts") {
		name, text := string(p.Word("functionCall", "name")), p.Text("text")
		switch {
		case name == todoTool:
			c.Session.RecordPartialCall(stream.AwaitedTodoCall{ID: string(p.Word("functionCall", "id")), Tool: tools.Find(name), SubAgent: sub, Input: p.Member("functionCall", "args").Raw()})
		case side:
			continue
		case name != "" && name != "tool_search": // that only loads tools
			t.Tools++
			id := p.Word("functionCall", "id")
			if c.Session.FindsLoops() {
				c.Session.NoteCall(id, name, p.Member("functionCall", "args").Raw())
			}
			c.Session.ExpectResult(id)
		case len(text) > 0 && !p.IsTrue("thought"):
			t.Text.Add(text)
			if t.Last == stream.LastOther {
				t.Last = stream.LastAnswer
			}
		}
		if name != "" && !side {
			t.Last = stream.LastCalls
		}
	}
}

// result applies the calls that have come to an end.
func (c *chat) result(l *stream.Line, side bool, at todo.Time) {
	status := string(l.Word("toolCallResult", "status"))
	if status == "cancelled" && !side {
		c.Session.SetLastStep(stream.LastCancel)
	}
	for p := range l.Objects("message", "parts") {
		id := p.Word("functionResponse", "id")
		if len(id) == 0 {
			id = l.Word("toolCallResult", "callId")
		}
		response := p.Member("functionResponse", "response")
		said, _, _ := bytes.Cut(response.Text("output"), []byte("\nProcess Group PGID:")) // which is another one each time
		c.Session.NoteAnswerText(id, 0, said, response.Text("error"))
		if call, ok := c.Session.PopCall(id); ok {
			text, failed := string(response.Text("output")), string(response.Text("error"))
			applyResult(c.Session, call, failed != "" || status != "" && status != "success", strings.TrimSpace(text+failed), at)
		}
	}
}
