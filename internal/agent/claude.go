package agent

import (
	"slices"
	"strings"
)

// claude reads `claude -p --output-format stream-json`, with the list tool TodoWrite or with the Task tools.
//
// Every line names its session, so sessions that run side by side are kept apart.
type claude struct {
	r        *Reader
	a        *adapter
	line     claudeLine     // the one that is being read
	now      *claudeSession // of the last line that meant something
	sessions map[string]*claudeSession
	active   []*claudeSession // those with lines since the last stop
	listed   []*claudeSession // those whose lists are kept
	held     int              // bytes that these keep, about
}

func openClaude(r *Reader, a *adapter) parser {
	return &claude{r: r, a: a, sessions: make(map[string]*claudeSession)}
}

// detectClaude knows the stream by the version in its first line. Streams before 2.0 have none,
// but a list of tools and permissionMode; other agents that borrowed the format lack one or the other.
// A call of its todo tools is enough.
func detectClaude(h *head) bool {
	switch string(h.typ) {
	case "system":
		switch subtype := string(h.subtype); {
		case strings.HasPrefix(subtype, "hook_"):
			return h.has("session_id", "hook_event") // those of the session's start run before init
		case strings.HasPrefix(subtype, "task_"):
			return h.has("session_id", "task_id")
		}
		return string(h.subtype) == "init" && h.has("session_id") &&
			(h.has("claude_code_version") || h.has("tools", "permissionMode") && !h.has("qwen_code_version"))
	case "stream_event":
		return h.has("session_id", "event", "parent_tool_use_id")
	case "assistant", "user":
		return h.has("session_id", "message", "parent_tool_use_id") ||
			!h.has("sessionId") && string(h.typ) == "assistant" && h.callsTool(isTodoTool)
	case "result":
		return h.has("session_id", "is_error", "subtype")
	}
	return false
}

func (c *claude) knows(typ []byte) bool {
	switch string(typ) {
	case "system", "assistant", "user", "result", "stream_event", "conversation_reset",
		"tool_progress", "tool_use_summary", "rate_limit_event", "auth_status", "prompt_suggestion",
		"control_request", "control_response", "control_cancel_request", "keep_alive":
		return true
	}
	return false
}

func (c *claude) stream() *stream {
	if c.now == nil {
		return nil
	}
	return c.now.stream
}

func (c *claude) leave(s *stream) {
	gone := func(one *claudeSession) bool { return one.stream == s }
	if one := c.sessions[s.id]; one != nil {
		c.held -= one.held
	}
	delete(c.sessions, s.id)
	c.active, c.listed = slices.DeleteFunc(c.active, gone), slices.DeleteFunc(c.listed, gone)
}

func (c *claude) read(line []byte) error {
	l := &c.line
	l.reset()
	if err := l.read(line, c.r); err != nil {
		return err
	}
	if len(l.session) == 0 && len(l.file) > 0 && (string(l.typ) == "assistant" || string(l.typ) == "user" || string(l.typ) == "system") {
		return errForeign
	}
	if l.isQwen() && c.allowsQwen(l) {
		return errForeign
	}
	if c.now != nil && c.find(l.session) == nil && c.r.elsewhere(c.a, l.session, l.typ, l.message.content) {
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
	}
	return nil
}

// session goes to the session of a line that means something.
func (c *claude) session(id word) *claudeSession {
	s := c.find(id)
	if s == nil {
		s = &claudeSession{stream: c.r.session(c.a, string(id)), c: c}
		c.sessions[s.id] = s
	}
	if !s.active {
		s.active = true
		c.active = append(c.active, s)
	}
	if c.now != s {
		c.now = s
		if !slices.Contains(c.listed, s) {
			c.listed = append(c.listed, s)
			c.forget()
		}
	}
	return s
}

// find gives a line's session if it is known.
func (c *claude) find(id word) *claudeSession {
	if c.now != nil && (len(id) == 0 || string(id) == c.now.id) {
		return c.now
	}
	return c.sessions[string(id)]
}

func (c *claude) system(l *claudeLine) {
	switch string(l.subtype) {
	case "init":
		if old := c.now; old.id != string(l.session) {
			old.endTurns() // another run: what is open in the one before stays open
		}
		c.session(l.session).init(l)
	case "task_started", "task_updated":
		if s := c.find(l.session); s != nil && (l.backgrounded || l.patched) {
			s.background = true
		}
	case "model_refusal_fallback":
		if s := c.find(l.session); s != nil {
			s.retract(l.retracted, instant(l.timestamp))
		}
	}
}

func (c *claude) assistant(l *claudeLine) {
	s := c.find(l.session)
	uses := slices.ContainsFunc(l.message.content, func(b block) bool { return b.is("tool_use") })
	failed := len(l.err) > 0
	opens := !l.sub() && (s == nil || !s.begun())
	if s == nil || uses || opens || failed || l.aborted {
		s = c.session(l.session)
	}
	if len(l.supersedes) > 0 {
		s.retract(l.supersedes, instant(l.timestamp))
	}
	if !l.sub() && (opens || uses || failed || l.aborted) {
		t := s.newest()
		if t == nil {
			t = s.current(instant(l.timestamp))
		}
		t.begun = true
		t.interrupted = t.interrupted || l.aborted
		t.failure.kind = string(l.err) // work that goes on got over an error
	}
	for i := range l.message.content {
		if b := &l.message.content[i]; b.is("tool_use") {
			s.use(l, b)
		}
	}
}

func (c *claude) user(l *claudeLine) {
	s := c.find(l.session)
	if s == nil {
		return
	}
	alone := l.message.content.results() == 1
	for i := range l.message.content {
		switch b := &l.message.content[i]; string(b.typ) {
		case "tool_result":
			s.answer(l, b, alone)
		case "text":
			if t := s.newest(); t != nil && !l.sub() && b.begins(interruptMark) {
				t.interrupted = true
			}
		}
	}
}

// interruptMark begins the text that stands for the user's interrupt; "for tool use]" or "]" follows.
const interruptMark = "[Request interrupted by user"

func (c *claude) stop() {
	for _, s := range c.rest() {
		s.stop()
	}
}

// rest gives the sessions that were active, which now are not.
func (c *claude) rest() []*claudeSession {
	sessions := c.active
	for _, s := range sessions {
		s.active = false
	}
	c.active = nil
	return sessions
}
