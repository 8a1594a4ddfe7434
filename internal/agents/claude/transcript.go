package claude

import (
	"slices"
	"strings"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// transcript reads the files in which Claude Code keeps its sessions, ~/.claude/projects/…/*.jsonl.
//
// Messages are those of the stream in another envelope. Sub-agents have their lines among the others (isSidechain),
// or in a file of their own, agent-….jsonl, which names the session that they work for.
// A session that was resumed or forked can have lines twice, with the same uuid or with the same
// call in them; the first one counts. If the copies name another session, that one has the list
// too, and its updates count once among both.
//
// No line ends a turn. A turn is what follows a user's message; it is done when the model's message has end_turn,
// or, in older versions, which leave that out, when the file or the next turn shows that nothing
// came after the message.
type transcript struct {
	Parser
	seen   stream.RecentIDs // session and uuid of the lines that meant something, and calls that were answered, in their session and in any
	prompt string           // uuid of the line that began the last turn
}

// transcriptState is the state of a session that only its transcript needs, and a stream does not.
type transcriptState struct {
	commanded bool              // the user entered a slash command, which may start a turn
	linked    bool              // lines name those that they follow
	ended     string            // id of the message that ended the last turn
	prompts   []transcriptPoint // the last prompts
	roots     map[string]string // of a sub-agent's lines among the others: from a line's uuid to the sub-agent's id
	started   []transcriptStart // calls that started a sub-agent
	parents   map[string]string // from a sub-agent's id to the call that started it
}

const (
	maxPrompts = 256
	maxStarted = 64
	maxRoots   = 10_000
)

// transcriptLines are the messages, and the notes about the file or the program, which are no
// part of the conversation. An api-request-blob has a message like that of the user's line beside
// it, and must not be mistaken for one.
var transcriptLines = []stream.LineType{
	{Name: "user"},
	{Name: "assistant"},
	{Name: "system"},
	{Name: "summary", Marks: "leafUuid"},
	{Name: "attachment", Marks: "sessionId uuid"},
	{Name: "progress", Marks: "sessionId uuid"},
	{Name: "file-history-snapshot", Marks: "messageId snapshot"},
	{Name: "queue-operation", Marks: "sessionId"},
	{Name: "last-prompt", Marks: "sessionId"},
	{Name: "cost-state", Marks: "sessionId"},
	{Name: "tools-used", Marks: "sessionId"},
	{Name: "api-request", Marks: "sessionId"},
	{Name: "api-request-shape", Marks: "sessionId"},
	{Name: "api-request-blob", Marks: "sessionId"},
	{Name: "atis-latch", Marks: "sessionId"},
	{Name: "custom-title", Marks: "sessionId"},
	{Name: "ai-title", Marks: "sessionId"},
	{Name: "agent-name", Marks: "sessionId"},
	{Name: "agent-color", Marks: "sessionId"},
	{Name: "agent-setting", Marks: "sessionId"},
	{Name: "mode", Marks: "sessionId"},
	{Name: "permission-mode", Marks: "sessionId"},
	{Name: "pr-link", Marks: "sessionId"},
	{Name: "tag", Marks: "sessionId"},
	{Name: "task-summary", Marks: "sessionId"},
	{Name: "content-replacement", Marks: "sessionId"},
	{Name: "worktree-state", Marks: "sessionId"},
	{Name: "attribution-snapshot", Marks: "sessionId"},
	{Name: "speculation-accept", Marks: "sessionId"},
	{Name: "marble-origami-commit", Marks: "sessionId"},
	{Name: "marble-origami-snapshot", Marks: "sessionId"},
	{Name: "saved_hook_context", Marks: "sessionId"},
	{Name: "bridge-session", Marks: "sessionId"},
	{Name: "data-flow-records", Marks: "sessionId"},
	{Name: "derived-from", Marks: "sessionId"},
	{Name: "frame-link", Marks: "sessionId"},
	{Name: "hybrid-organization", Marks: "sessionId"},
	{Name: "isolation-latch", Marks: "sessionId"},
	{Name: "memory-mode", Marks: "sessionId"},
	{Name: "relocated", Marks: "sessionId"},
	{Name: "repl-mode", Marks: "sessionId"},
	{Name: "session-owner", Marks: "sessionId"},
	{Name: "fork-context-ref", Marks: "sessionId"},
	{Name: "observer-ref", Marks: "sessionId"},
	{Name: "resume-head-vouch", Marks: "sessionId"},
	{Name: "history-suppression", Marks: "sessionId"},
	{Name: "artifact-autoreact-ledger", Marks: "sessionId"},
	{Name: "api-request-resumed", Marks: "sessionId"},
	{Name: "file-history-delta", Marks: "sessionId"},
}

// detectTranscript distinguishes messages from those of other agents, which have parts or a payload.
func detectTranscript(l *stream.Line) bool {
	switch string(l.Type) {
	case "user", "assistant", "system":
		return l.Has("sessionId", "uuid") && !l.Has("systemPayload") && (l.Is("system") || l.Member("message", "parts") == nil)
	}
	return false
}

func (c *transcript) Read(in *stream.Line) error {
	l := new(lineOf(in))
	said := l.isMessage()
	if said && (len(l.file()) == 0 && len(l.session) > 0 || l.Has("systemPayload") || l.Member("message", "parts") != nil) {
		return stream.ErrOtherAgent // parts and a payload are another agent's
	}
	if c.Now == nil {
		c.session(l.file())
	}
	if !said {
		return nil
	}
	before := c.Now
	s, st := c.enterSession(l)
	if c.again(s, l.uuid()) {
		return nil
	}
	if before != s && l.Is("assistant") && c.prompt != "" && string(l.Word("parentUuid")) == c.prompt {
		before.SetLastStep(stream.LastAnswer) // versions of 2025 could write a prompt under another session's id than its answer
		before.EndOpenTurns(l.At())
		s.EndOpenTurns(0)
	}
	st.linked = st.linked || len(l.Word("parentUuid")) > 0
	c.assignSubAgent(l, st)
	switch {
	case l.Is("system"):
		c.system(l, s)
	case l.Is("assistant") && l.side():
		for b := range l.content.Blocks() {
			if b.Is("tool_use") {
				s.recordCall(l, b)
			}
		}
	case l.Is("assistant"):
		c.assistant(l, s, st)
	default:
		c.user(l, s, st)
	}
	return nil
}

// enterSession goes to the line's session. One whose first line follows a line of another session continues with its tasks.
func (c *transcript) enterSession(l *Line) (*Session, *transcriptState) {
	before := c.Now
	if before.ID == "" && len(l.file()) > 0 && before.Counts.Lists.Emitted == 0 && before.Turns() == 0 {
		// The lines so far name no session.
		before.SetID(string(l.file()))
	}
	s := c.session(l.file())
	fresh := s.transcript == nil
	switch {
	case fresh && len(l.Word("parentUuid")) == 0:
		// The file has the session from its beginning, so the saved list is not its start but its end.
		s.tasks = new(taskList)
	case fresh && before != s && before.tasks != nil:
		s.tasks, s.blank = before.tasks.ForNextSession(), before.blank
	}
	st := s.transcript
	if st == nil {
		st = new(transcriptState)
		s.transcript = st
		s.Counts.Version = string(l.Word("version"))
		if v := version(s.Counts.Version); v != nil && slices.Compare(v, []int{2, 1, 233}) < 0 { // older versions offered their todo tools for every model
			s.Counts.TodoTool = stream.TodoToolOn
		}
	}
	return s, st
}

// again reports whether a line was there before.
func (c *transcript) again(s *Session, uuid []byte) bool {
	return len(uuid) > 0 && !c.seen.Add(uuid, []byte(s.ID))
}

func (c *transcript) system(l *Line, s *Session) {
	switch l.Subtype() {
	case "turn_duration":
		if t := s.NewestTurn(); t != nil && t.Last == stream.LastAnswer && !l.side() {
			c.end(s, continuation.Done, l.At())
		}
	case "model_refusal_fallback":
		s.retract(l.retracted(), l.At())
	case "local_command":
		c.command(string(l.Text("content")), l, s)
	default:
		s.CountUnknown(l.Word("subtype"), ignored, "system")
	}
}

// command follows a slash command. /clear leaves no list.
func (c *transcript) command(text string, l *Line, s *Session) {
	if strings.Contains(text, "<command-name>/clear</command-name>") && s.Counts.Lists.Emitted > 0 {
		s.clear(l)
	}
}

func (c *transcript) assistant(l *Line, s *Session, st *transcriptState) {
	m := l.Member("message")
	id, failed := string(m.Word("id")), l.IsTrue("isApiErrorMessage") || len(l.err()) > 0
	if string(m.Word("model")) == "<synthetic>" && !failed || id != "" && id == st.ended && s.NewestTurn() == nil {
		return // the program's own, or the rest of the message that ended the turn
	}
	t := s.NewestTurn()
	if t == nil {
		if st.commanded {
			t = s.BeginTurn(l.At())
		} else {
			t = s.BeginTurn(l.At(), stream.InferredTurn)
		}
		st.commanded = false
	}
	t.Begun = true
	t.Text.Reset()
	uses, speaks := false, false
	for b := range l.content.Blocks() {
		switch string(b.Type) {
		case "tool_use":
			uses = true
			s.recordCall(l, b)
			c.start(b, st)
		case "text":
			speaks = speaks || b.HasText()
			t.Text.Add(b.Text("text"))
		}
	}
	t.Last = stream.LastOther
	stop := string(m.Word("stop_reason"))
	switch {
	case failed:
		t.Failure = stream.FailureOf(string(l.err()), l.content.Texts(), nil)
		t.Limit = limitOf(string(l.Word("quotaLimits", "status")), string(l.Word("quotaLimits", "resetsAt")))
		st.ended = id
		c.end(s, continuation.Failed, l.At())
	case uses, stop == "tool_use", stop == "pause_turn":
		t.Text.Reset()
	case stop == "" && !speaks:
	case stop != "" && speaks:
		st.ended = id
		c.end(s, continuation.Done, l.At())
	default:
		t.Last = stream.LastAnswer // more text may follow, in a line of its own
	}
}

func (c *transcript) user(l *Line, s *Session, st *transcriptState) {
	results, empty := l.content.Results(), true
	for b := range l.content.Blocks() {
		empty = false
		if !b.Is("tool_result") {
			continue
		}
		if results == 1 {
			c.applyDetails(l, b, s, st)
		}
		call := b.Word("tool_use_id")
		s.NoteResult(call)
		s.NoteAnswer(call, b.Member("content"), b.Member("is_error"))
		if !s.AwaitsResult(call) {
			continue
		}
		if c.again(s, call) {
			s.PopCall(call)
			continue
		}
		s.Copies = !c.seen.Add(call)
		s.applyResult(l, b)
		s.Copies = false
	}
	if l.side() {
		return
	}
	text := strings.TrimSpace(l.content.Texts())
	switch {
	case isInterrupt(text):
		c.interrupt(l, s, st)
	case results > 0:
		s.SetLastStep(stream.LastOther)
	case empty, l.isMeta():
	case strings.HasPrefix(text, "<command-"):
		st.commanded = true
		c.command(text, l, s)
	case strings.HasPrefix(text, "<local-command-"), strings.HasPrefix(text, "<bash-"), strings.HasPrefix(text, "<user-memory-input>"):
	default:
		c.beginTurn(l, s, st)
	}
}
