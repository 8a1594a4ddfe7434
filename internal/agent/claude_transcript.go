package agent

import (
	"slices"
	"strconv"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
)

// claudeTranscript reads the files in which Claude Code keeps its sessions, ~/.claude/projects/…/*.jsonl.
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
type claudeTranscript struct {
	claude
	seen recent // session and uuid of the lines that meant something, and calls that were answered, in their session and in any
}

// transcriptState is what a transcript's session has beside a stream's.
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

// claudeTranscriptLines are the messages, and the notes about the file or the program, which are no
// part of the conversation. An api-request-blob has a message like that of the user's line beside
// it, and must not be mistaken for one.
func claudeTranscriptLines() []lineType {
	lines := []lineType{
		{"user", unmarked},
		{"assistant", unmarked},
		{"system", unmarked},
		{"summary", "leafUuid"},
		{"attachment", "sessionId uuid"},
		{"progress", "sessionId uuid"},
		{"file-history-snapshot", "messageId snapshot"},
	}
	for _, name := range [...]string{
		"queue-operation", "last-prompt", "cost-state", "tools-used", "api-request", "api-request-shape", "api-request-blob",
		"atis-latch", "custom-title", "ai-title", "agent-name", "agent-color", "agent-setting", "mode", "permission-mode",
		"pr-link", "tag", "task-summary", "content-replacement", "worktree-state", "attribution-snapshot", "speculation-accept",
		"marble-origami-commit", "marble-origami-snapshot", "saved_hook_context", "bridge-session", "data-flow-records",
		"derived-from", "frame-link", "hybrid-organization", "isolation-latch", "memory-mode", "relocated", "repl-mode",
		"session-owner", "fork-context-ref", "observer-ref", "resume-head-vouch", "history-suppression",
		"artifact-autoreact-ledger", "api-request-resumed", "file-history-delta",
	} {
		lines = append(lines, lineType{name, "sessionId"})
	}
	return lines
}

// detectClaudeTranscript distinguishes messages from those of Qwen Code, which have parts.
func detectClaudeTranscript(l *line) bool {
	switch string(l.typ) {
	case "user", "assistant", "system":
		return l.has("sessionId", "uuid") && !detectQwenChat(l) && !l.has("systemPayload")
	}
	return false
}

func (c *claudeTranscript) read(in *line) error {
	l := new(claudeLineOf(in))
	said := l.isMessage()
	if said && (len(l.file()) == 0 && len(l.session) > 0 || l.has("systemPayload") || l.member("message", "parts") != nil) {
		return errForeign // parts and a payload are Qwen Code's
	}
	if c.now == nil {
		c.session(l.file())
	}
	if !said {
		return nil
	}
	s, st := c.enter(l)
	if c.again(s, l.uuid()) {
		return nil
	}
	st.linked = st.linked || len(l.word("parentUuid")) > 0
	c.place(l, st)
	switch {
	case l.is("system"):
		c.system(l, s)
	case l.is("assistant") && l.side():
		for b := range l.content.blocks() {
			if b.is("tool_use") {
				s.use(l, b)
			}
		}
	case l.is("assistant"):
		c.assistant(l, s, st)
	default:
		c.user(l, s, st)
	}
	return nil
}

// enter goes to the line's session. One whose first line follows a line of another session continues with its tasks.
func (c *claudeTranscript) enter(l *claudeLine) (*claudeSession, *transcriptState) {
	before := c.now
	if before.id == "" && len(l.file()) > 0 && before.sum.Lists.Emitted == 0 && before.sum.turns() == 0 {
		// The lines so far name no session.
		before.name(string(l.file()))
	}
	s := c.session(l.file())
	fresh := s.transcript == nil
	switch {
	case fresh && len(l.word("parentUuid")) == 0:
		// The file has the session from its beginning, so the saved list is not its start but its end.
		s.tasks = new(native.Tasks)
	case fresh && before != s && before.tasks != nil:
		s.tasks, s.blank = before.tasks.ForNextSession(), before.blank
	}
	st := s.transcript
	if st == nil {
		st = new(transcriptState)
		s.transcript = st
		if alwaysHasTodos(string(l.word("version"))) {
			s.sum.TodoTool = TodoToolOn
		}
	}
	return s, st
}

// alwaysHasTodos reports whether a version offered its todo tools for every model: those before 2.1.233 did.
func alwaysHasTodos(version string) bool {
	var parts [3]int
	for i, part := range strings.SplitN(version, ".", 3) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return false
		}
		parts[i] = n
	}
	return version != "" && slices.Compare(parts[:], []int{2, 1, 233}) < 0
}

// again reports whether a line was there before.
func (c *claudeTranscript) again(s *claudeSession, uuid []byte) bool {
	return len(uuid) > 0 && !c.seen.add(uuid, []byte(s.id))
}

func (c *claudeTranscript) system(l *claudeLine, s *claudeSession) {
	switch l.subtype() {
	case "turn_duration":
		if t := s.newest(); t != nil && t.last == lastAnswer && !l.side() {
			c.end(s, continuation.Done, l.at())
		}
	case "model_refusal_fallback":
		s.retract(l.retracted(), l.at())
	case "local_command":
		c.command(string(l.text("content")), l, s)
	}
}

// command follows a slash command. /clear leaves no list.
func (c *claudeTranscript) command(text string, l *claudeLine, s *claudeSession) {
	if strings.Contains(text, "<command-name>/clear</command-name>") && s.sum.Lists.Emitted > 0 {
		s.clear(l)
	}
}

func (c *claudeTranscript) assistant(l *claudeLine, s *claudeSession, st *transcriptState) {
	m := l.member("message")
	id, failed := string(m.word("id")), l.isTrue("isApiErrorMessage") || len(l.err()) > 0
	if string(m.word("model")) == "<synthetic>" && !failed || id != "" && id == st.ended && s.newest() == nil {
		return // the program's own, or the rest of the message that ended the turn
	}
	t := s.newest()
	if t == nil {
		if st.commanded {
			t = s.begin(l.at())
		} else {
			t = s.begin(l.at(), InferredTurn)
		}
		st.commanded = false
	}
	t.begun = true
	t.text.reset()
	uses, speaks := false, false
	for b := range l.content.blocks() {
		switch string(b.typ) {
		case "tool_use":
			uses = true
			s.use(l, b)
			c.start(b, st)
		case "text":
			speaks = speaks || b.speaks()
			t.text.add(b.text("text"))
		}
	}
	t.last = lastOther
	stop := string(m.word("stop_reason"))
	switch {
	case failed:
		t.failure = failureOf(string(l.err()), l.content.texts(), nil)
		st.ended = id
		c.end(s, continuation.Failed, l.at())
	case uses, stop == "tool_use", stop == "pause_turn":
		t.text.reset()
	case stop == "" && !speaks:
	case stop != "" && speaks:
		st.ended = id
		c.end(s, continuation.Done, l.at())
	default:
		t.last = lastAnswer // more text may follow, in a line of its own
	}
}

func (c *claudeTranscript) user(l *claudeLine, s *claudeSession, st *transcriptState) {
	results, empty := l.content.results(), true
	for b := range l.content.blocks() {
		empty = false
		if !b.is("tool_result") {
			continue
		}
		if results == 1 {
			c.applyDetails(l, b, s, st)
		}
		call := b.word("tool_use_id")
		s.returned(call)
		if s.find(call) < 0 {
			continue
		}
		if c.again(s, call) {
			s.popCall(call)
			continue
		}
		s.copies = !c.seen.add(call)
		s.applyResult(l, b)
		s.copies = false
	}
	if l.side() {
		return
	}
	text := strings.TrimSpace(l.content.texts())
	switch {
	case strings.HasPrefix(text, interruptMark):
		if s.newest() != nil {
			c.end(s, continuation.Aborted, l.at())
		}
	case results > 0:
		s.ends(lastOther)
	case empty, l.isMeta():
	case strings.HasPrefix(text, "<command-"):
		st.commanded = true
		c.command(text, l, s)
	case strings.HasPrefix(text, "<local-command-"), strings.HasPrefix(text, "<bash-"), strings.HasPrefix(text, "<user-memory-input>"):
	default:
		c.prompt(l, s, st)
	}
}
