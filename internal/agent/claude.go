package agent

import (
	"bytes"
	"slices"
	"strings"

	continuation "onward/internal/continue"
)

// claude reads `claude -p --output-format stream-json`, with the list tool TodoWrite or with the Task tools,
// and the stream of Qwen Code, which differs in what qwen.go contains.
//
// Every line names its session, so sessions that run side by side are kept apart.
type claude struct {
	several[*claudeSession]
	listed []*claudeSession // those whose lists are kept
	held   int              // bytes that these keep, about
}

var claudeLines = []lineType{
	{"system", unmarked},
	{"assistant", "session_id message parent_tool_use_id"},
	{"user", "session_id message parent_tool_use_id"},
	{"result", "session_id is_error subtype"},
	{"stream_event", "session_id event parent_tool_use_id"},
	{"conversation_reset", unmarked},
	{"tool_progress", unmarked},
	{"tool_use_summary", unmarked},
	{"rate_limit_event", unmarked},
	{"auth_status", unmarked},
	{"prompt_suggestion", unmarked},
	{"control_request", unmarked},
	{"control_response", unmarked},
	{"control_cancel_request", unmarked},
	{"keep_alive", unmarked},
}

// detectClaude knows the stream by the version in its first line. Streams before 2.0 have none,
// but a list of tools and permissionMode; other agents that borrowed the format lack one or the other.
// A call of its todo tools is enough.
func detectClaude(l *line) bool {
	subtype := string(l.word("subtype"))
	switch {
	case l.is("assistant"):
		return !l.has("sessionId") && l.callsTool(isTodoTool)
	case !l.is("system") || !l.has("session_id"):
		return false
	case strings.HasPrefix(subtype, "hook_"):
		return l.has("hook_event") // those of the session's start run before init
	case strings.HasPrefix(subtype, "task_"):
		return l.has("task_id")
	}
	return subtype == "init" && (l.has("claude_code_version") || l.has("tools", "permissionMode") && !l.has("qwen_code_version"))
}

// claudeResets precede the time in the texts "You've hit your limit · resets 3pm (America/New_York)", "Your limit will
// reset at 3pm" and "Claude AI usage limit reached|1759950000".
var claudeResets = [...]string{"resets", "resets at", "reset at", "limit reached|"}

func (c *claude) read(in *line) error {
	l := new(claudeLineOf(in))
	if len(l.session) == 0 && l.isMessage() && l.has("sessionId") {
		return errForeign
	}
	if c.now == nil {
		c.session(l.session)
	}
	switch string(l.typ) {
	case "system":
		c.system(l)
	case "assistant":
		c.assistant(l)
	case "user":
		c.user(l)
	case "result":
		c.session(l.session).result(l)
	case "conversation_reset":
		c.session(l.session).clear(l)
	case "rate_limit_event":
		if string(l.word("rate_limit_info", "status")) == "rejected" {
			c.limited(l, string(l.word("rate_limit_info", "resetsAt")))
		}
	}
	return nil
}

// limited records when the host can be asked again, should the turn fail.
func (c *claude) limited(l *claudeLine, until string) {
	s := c.find(l.session)
	if s == nil || s.newest() == nil {
		return
	}
	if r, err := continuation.ParseReset(until); err == nil {
		s.newest().limit = r
	}
}

// session goes to the session of a line that means something.
func (c *claude) session(id word) *claudeSession {
	s, before := c.find(id), c.now
	if s == nil {
		s = &claudeSession{stream: c.r.session(c.a, string(id)), c: c}
	}
	if c.enter(s) != before && !slices.Contains(c.listed, s) {
		c.listed = append(slices.DeleteFunc(c.listed, c.forgetLeft), s)
		c.forget()
	}
	return s
}

func (c *claude) system(l *claudeLine) {
	switch l.subtype() {
	case "init":
		if old := c.now; old.id != string(l.session) {
			old.endTurns() // another run: what is open in the one before stays open
		}
		s := c.session(l.session)
		if !detectClaude(l.line) && detectQwen(l.line) {
			s.becomesQwen()
		}
		s.init(l)
	case "task_started", "task_updated":
		if s := c.find(l.session); s != nil && (l.isTrue("is_backgrounded") || l.isTrue("patch", "is_backgrounded")) {
			s.background = true
		}
	case "api_retry":
		// The program asks again by itself; a delay that is shorter is its own, and not the host's.
		if ms := l.word("retry_delay_ms"); count(ms) >= 60_000 && isLimit(l.word("error_status")) {
			c.limited(l, string(ms)+"ms")
		}
	case "model_refusal_fallback":
		if s := c.find(l.session); s != nil {
			s.retract(l.retracted(), l.at())
		}
	}
}

func (c *claude) assistant(l *claudeLine) {
	s := c.find(l.session)
	uses, failed, aborted := l.uses(), len(l.err()) > 0, l.isTrue("aborted")
	opens := !l.sub() && (s == nil || !s.begun())
	if s == nil || uses || opens || failed || aborted {
		s = c.session(l.session)
	}
	if !s.certain && l.callsTool(isQwenTool) {
		s.becomesQwen()
	}
	if superseded := l.words("supersedes"); len(superseded) > 0 {
		s.retract(superseded, l.at())
	}
	if t := s.newest(); t != nil {
		t.sub = t.sub || l.sub()
		if !failed {
			t.limit = continuation.Reset{} // it is over
		}
	}
	if !l.sub() && (opens || uses || failed || aborted) {
		t := s.current(l.at())
		t.begun = true
		t.interrupted = t.interrupted || aborted
		t.failure.kind = string(l.err()) // work that continues got over an error
	}
	if !l.sub() {
		s.newest().spend(l.word("message", "id"), s.used(l.member("message", "usage")))
	}
	for b := range l.content.blocks() {
		switch {
		case b.is("tool_use"):
			s.use(l, b)
		case b.is("text") && !l.sub() && !failed:
			if text := b.text("text"); !bytes.HasPrefix(text, []byte(qwenError)) { // else it is the program's own
				s.newest().recordMessage(text)
			}
		}
	}
}

func (c *claude) user(l *claudeLine) {
	s := c.find(l.session)
	if s == nil {
		return
	}
	for b := range l.content.blocks() {
		switch string(b.typ) {
		case "tool_result":
			s.applyResult(l, b)
		case "text":
			if t := s.newest(); t != nil && !l.sub() && strings.HasPrefix(string(b.text("text")), interruptMark) {
				t.interrupted = true
			}
		}
	}
}

// interruptMark begins the text that represents the user's interrupt; "for tool use]" or "]" follows.
const interruptMark = "[Request interrupted by user"

// claudeProgram is how Claude Code is started.
func claudeProgram() Program {
	return Program{
		Name:    "claude",
		Command: []string{"claude", "-p", "--output-format", "stream-json", "--verbose"},
		Resume:  []string{"--resume"},
		Env:     []string{"CLAUDE_CODE_ENABLE_TODO_TOOLS=1"},
		Costs:   true,
		Install: "npm install -g @anthropic-ai/claude-code",
		Rights:  "--permission-mode acceptEdits",
	}
}
