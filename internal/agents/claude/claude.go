package claude

import (
	"slices"
	"strings"

	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// The names of Claude Code and of what it writes.
const (
	Kind stream.Kind = "claude-code"

	Stream     stream.Format = "claude"
	Transcript stream.Format = "claude-transcript"
)

// formats are what is read of it.
var formats = []stream.Adapter{
	{
		Format: Stream,
		From:   "`claude -p --output-format stream-json --verbose`", List: "TodoWrite and the Task tools",
		Lines: lines, Detect: detect, ChangesNothing: idle, New: func() stream.Parser { return new(Parser) }, LooksLikeOthers: true,
		Hint: "Claude Code has its todo tools off for this model; set CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
	},
	{
		Format: Transcript,
		From:   "`~/.claude/projects/…/*.jsonl`, and `subagents/agent-*.jsonl`", List: "TodoWrite and the Task tools",
		Lines: transcriptLines, Detect: detectTranscript, ChangesNothing: idle, New: func() stream.Parser { return new(transcript) },
		Hint:           "Claude Code has its todo tools off for newer models; set CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
		NeverTellsTool: true,
	},
}

// program is how it is started.
var program = agent.Program{
	Command: []string{"claude", "-p", "--output-format", "stream-json", "--verbose"},
	Resume:  []string{"--resume"},
	Env:     []string{"CLAUDE_CODE_ENABLE_TODO_TOOLS=1"},
	Costs:   true,
	Money:   agent.UsageAtEnd,
	Install: "npm install -g @anthropic-ai/claude-code",
	Rights:  "--permission-mode acceptEdits",
	Allows:  "--allowedTools " + agent.ToolsPlaceholder,
}

// todoToolOn reports whether the environment switches on the todo tools of Claude Code, which newer models have off.
func todoToolOn(env func(string) string) bool {
	on := env("CLAUDE_CODE_ENABLE_TODO_TOOLS")
	return on != "" && on != "0" && on != "false"
}

// Parser reads `claude -p --output-format stream-json`, with the list tool TodoWrite or with the Task tools,
// and the streams of agents that differ from it in what a variant tells.
//
// Every line names its session, so sessions that run side by side are kept apart.
type Parser struct {
	stream.Interleaved[*Session]
	listed []*Session // those whose lists are kept
	held   int        // bytes that these keep, about
	behind []*Session // had an open turn when another session began, and no line since
}

// leave goes from a session to another one that begins. Whether the open turn of the session was cut off, or goes on beside
// the other one, is not known before more lines have come.
func (c *Parser) leave(s *Session) {
	if s.NewestTurn() == nil {
		return
	}
	if len(c.behind) == maxBehind {
		c.behind[0].endTurns()
		c.behind = slices.Delete(c.behind, 0, 1)
	}
	c.behind = append(c.behind, s)
}

// maxBehind is how many sessions can be waited for.
const maxBehind = 16

// returns notes that a session has a line.
func (c *Parser) returns(id stream.Word) {
	if len(c.behind) > 0 && len(id) > 0 {
		c.behind = slices.DeleteFunc(c.behind, func(s *Session) bool { return s.ID == string(id) })
	}
}

// conclude ends the turns of the sessions that had no line during the whole turn of another one.
func (c *Parser) conclude(other *Session) {
	for _, s := range c.behind {
		if s != other && !s.Abandoned {
			s.endTurns()
		}
	}
	c.behind = c.behind[:0]
}

var lines = []stream.LineType{
	{Name: "system"},
	{Name: "assistant", Marks: "session_id message parent_tool_use_id"},
	{Name: "user", Marks: "session_id message parent_tool_use_id"},
	{Name: "result", Marks: "session_id is_error subtype"},
	{Name: "stream_event", Marks: "session_id event parent_tool_use_id"},
	{Name: "conversation_reset"},
	{Name: "tool_progress"},
	{Name: "tool_use_summary"},
	{Name: "rate_limit_event"},
	{Name: "auth_status"},
	{Name: "prompt_suggestion"},
	{Name: "control_request"},
	{Name: "control_response"},
	{Name: "control_cancel_request"},
	{Name: "keep_alive"},
	{Name: "active_goal"},
	{Name: "autocompact_state"},
	{Name: "command_lifecycle"},
	{Name: "transcript_mirror"},
}

// detect knows the stream by the version in its first line. Streams before 2.0 have none,
// but a list of tools and permissionMode; other agents that borrowed the format lack one or the other.
// A call of its todo tools is enough.
func detect(l *stream.Line) bool {
	subtype := string(l.Word("subtype"))
	switch {
	case l.Is("assistant"):
		return !l.Has("sessionId") && l.CallsTool(isTodoTool)
	case !l.Is("system") || !l.Has("session_id"):
		return false
	case strings.HasPrefix(subtype, "hook_"):
		return l.Has("hook_event") // those of the session's start run before init
	case strings.HasPrefix(subtype, "task_"):
		return l.Has("task_id")
	}
	return subtype == "init" && (l.Has("claude_code_version") || l.Has("permissionMode") && slices.ContainsFunc(l.Words("tools"), capital))
}

// capital reports whether the name of a tool begins with a capital letter, as those of Claude Code do.
func capital(tool string) bool { return tool != "" && 'A' <= tool[0] && tool[0] <= 'Z' }

func (c *Parser) Read(in *stream.Line) error {
	l := new(lineOf(in))
	if len(l.session) == 0 && l.isMessage() && l.Has("sessionId") {
		return stream.ErrOtherAgent
	}
	if c.Now == nil {
		c.session(l.session)
	}
	c.returns(l.session)
	switch string(l.Type) {
	case "system":
		c.system(l)
	case "assistant":
		c.assistant(l)
	case "user":
		c.user(l)
	case "result":
		s := c.session(l.session)
		c.conclude(s)
		s.result(l)
	case "conversation_reset":
		c.session(l.session).clear(l)
	case "active_goal":
		c.session(l.session).goal(l)
	case "rate_limit_event":
		c.limited(l, limitOf(string(l.Word("rate_limit_info", "status")), string(l.Word("rate_limit_info", "resetsAt"))))
	}
	return nil
}

// limited records when the host can be asked again, should the turn fail.
func (c *Parser) limited(l *Line, until continuation.Reset) {
	if s := c.FindSession(l.session); s != nil && s.NewestTurn() != nil && !until.IsZero() {
		s.NewestTurn().Limit = until
	}
}

// limitOf returns the exact end of a limit, in seconds since 1970, if its status shows that it is the one that was met.
func limitOf(status, until string) continuation.Reset {
	if status != "rejected" {
		return continuation.Reset{}
	}
	r, _ := continuation.ParseReset(until)
	return r
}

// session goes to the session of a line that means something.
func (c *Parser) session(id stream.Word) *Session {
	s, before := c.FindSession(id), c.Now
	if s == nil {
		s = &Session{Session: c.Open(string(id)), c: c}
	}
	if c.EnterSession(s) != before && !slices.Contains(c.listed, s) {
		c.listed = append(slices.DeleteFunc(c.listed, c.forgetLeft), s)
		c.forgetOldSessions()
	}
	return s
}

func (c *Parser) system(l *Line) {
	switch l.Subtype() {
	case "init":
		if old := c.Now; old.ID != string(l.session) {
			c.leave(old)
		}
		s := c.session(l.session)
		if !detect(l.Line) {
			s.becomesAny(func(v *Variant) bool { return v.Begins(l.Line) })
		}
		s.init(l)
	case "task_started", "task_updated":
		if s := c.FindSession(l.session); s != nil && (l.IsTrue("is_backgrounded") || l.IsTrue("patch", "is_backgrounded")) {
			s.background = true
		}
	case "background_tasks_changed":
		if s := c.FindSession(l.session); s != nil && s.NewestTurn() != nil {
			s.NewestTurn().Background = false
			for range l.Objects("tasks") {
				s.NewestTurn().Background = true
			}
		}
	case "task_notification":
		if s := c.FindSession(l.session); s != nil {
			s.NoteSubAgentEnd(l.Word("tool_use_id"), l.Word("usage", "tool_uses"))
		}
	case "permission_denied":
		if s := c.FindSession(l.session); s != nil && s.NewestTurn() != nil {
			s.NewestTurn().NoteDenied(l.Word("tool_use_id"), string(l.Text("tool_name")))
		}
	case "task_list_statuses":
		if s := c.FindSession(l.session); s != nil {
			s.statuses(l)
		}
	case "session_state_changed":
		if s := c.FindSession(l.session); s != nil {
			s.Asks = string(l.Word("state")) == "requires_action"
		}
	case "api_retry":
		// The program retries on its own; a shorter delay is the program's, not the host's.
		if ms := l.Word("retry_delay_ms"); stream.ParseCount(ms) >= 60_000 && stream.IsRateLimit(l.Word("error_status")) {
			r, _ := continuation.ParseReset(string(ms) + "ms")
			c.limited(l, r)
		}
	case "model_refusal_fallback":
		if s := c.FindSession(l.session); s != nil {
			s.retract(l.retracted(), l.At())
		}
	default:
		if s := c.FindSession(l.session); s != nil {
			s.CountUnknown(l.Word("subtype"), ignored, "system")
		}
	}
}

func (c *Parser) assistant(l *Line) {
	s := c.FindSession(l.session)
	uses, failed, aborted := l.callsTools(), len(l.err()) > 0, l.IsTrue("aborted")
	opens := !l.sub() && (s == nil || !s.hasOpenMessage())
	if s == nil || uses || opens || failed || aborted {
		s = c.session(l.session)
	}
	if !s.certain && len(c.Variants) > 0 {
		s.becomesAny(func(v *Variant) bool { return l.CallsTool(v.IsTool) })
	}
	if superseded := l.Words("supersedes"); len(superseded) > 0 {
		s.retract(superseded, l.At())
	}
	if t := s.NewestTurn(); t != nil {
		t.HasSubAgent = t.HasSubAgent || l.sub()
		if !failed {
			t.Limit = continuation.Reset{} // it is over
		}
	}
	if !l.sub() && (opens || uses || failed || aborted) {
		t := s.CurrentTurn(l.At())
		t.Begun = true
		t.Interrupted = t.Interrupted || aborted
		t.Failure.Kind = string(l.err()) // work that continues got over an error
	}
	if t := s.NewestTurn(); t != nil { // a sub-agent in the background may work after the turn; the next result counts it
		t.CountUsage(l.agent(), l.Word("message", "id"), s.used(l.Member("message", "usage")))
	}
	for b := range l.content.Blocks() {
		switch {
		case b.Is("tool_use"):
			s.recordCall(l, b)
		case b.Is("text") && !l.sub() && !failed:
			if text := b.Text("text"); !c.isNotice(text) { // else it is the program's own
				s.NewestTurn().RecordMessage(text)
			}
		default:
			s.CountUnknown(b.Type, blocks, "assistant")
		}
	}
}

func (c *Parser) user(l *Line) {
	s := c.FindSession(l.session)
	if s == nil {
		return
	}
	for b := range l.content.Blocks() {
		switch string(b.Type) {
		case "tool_result":
			s.applyResult(l, b)
		case "text":
			if t := s.NewestTurn(); t != nil && !l.sub() && isInterrupt(string(b.Text("text"))) {
				t.Interrupted = true
			}
		}
	}
}

// isInterrupt reports whether a text represents the user's interrupt. A prompt may quote it, and go on.
func isInterrupt(text string) bool {
	switch strings.TrimSpace(text) {
	case "[Request interrupted by user]", "[Request interrupted by user for tool use]":
		return true
	}
	return false
}
